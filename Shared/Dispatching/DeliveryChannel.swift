public import NotificationModel
public import NotificationQueue
public import NotificationStore

/// One way of delivering: what a dispatcher adds to ``DispatchWorker``.
public protocol DeliveryChannel: Sendable {
  var queue: WorkQueue { get }
  var channel: Channel { get }
  /// Failures after which a delivery is dead-lettered.
  var maximumAttempts: Int { get }

  /// How many targets are tried at once: what the connections to the channel's provider carry. More would only wait, and time
  /// out, in the driver.
  var concurrency: Int { get }

  /// Whether the provider serves the target. If not, the target is dead-lettered as ``DeliveryResult/noProvider``.
  func serves(_ target: DispatchMessage.Target) -> Bool

  /// What ``deliver(_:)`` takes at most, whatever the provider does.
  var longestDelivery: Duration { get }

  /// Whom the provider's limits and troubles with the target are about.
  func scope(of targeted: TargetedDelivery) -> ProviderScope

  /// How the provider is spared; nil: by the permits of ``concurrency`` alone.
  var control: ControlSettings? { get }

  /// How long it stands that a target was to be tried, from when it was routed. After that, and whenever it comes back, it is asked what
  /// speaks against it by now (``objections(to:)``); nil: it stands for good.
  var decisionStands: Duration? { get }

  /// What has come up against targets since they were routed, in the words of the router's own decisions. Others are to be tried.
  func objections(to targets: [TargetedDelivery]) async throws -> [DeliveryStore.Key: SkipReason]

  /// Tries one target, which the provider serves.
  func deliver(_ targeted: TargetedDelivery) async -> DeliveryResult

  /// Tries one target, as ``deliver(_:)``; what the provider is long in answering may give its permit up.
  func deliver(_ targeted: TargetedDelivery, _ call: LongCall) async -> DeliveryResult

  /// Ends what the provider has and has not answered, as ``DeliveryResult/uncertain(reason:)``: the service stops.
  func giveUpAnswers()

  /// Forgets targets that the provider knows no longer (an unregistered token, an address that does not exist).
  func forget(_ targets: [ForgottenTarget]) async throws
}

/// A channel whose provider serves all targets, in one scope, and is not spared; nothing comes up against targets.
extension DeliveryChannel {
  public func serves(_ target: DispatchMessage.Target) -> Bool { true }

  public func scope(of targeted: TargetedDelivery) -> ProviderScope { .whole }

  public var control: ControlSettings? { nil }

  public var decisionStands: Duration? { nil }

  public func objections(to targets: [TargetedDelivery]) async throws -> [DeliveryStore.Key: SkipReason] { [:] }

  public func deliver(_ targeted: TargetedDelivery, _ call: LongCall) async -> DeliveryResult {
    await deliver(targeted)
  }

  public func giveUpAnswers() {}
}
