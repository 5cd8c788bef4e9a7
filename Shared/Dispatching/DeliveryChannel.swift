public import NotificationModel
public import NotificationQueue

/// One way of delivering: what a dispatcher adds to ``DispatchWorker``.
public protocol DeliveryChannel: Sendable {
  var queue: WorkQueue { get }
  var channel: Channel { get }
  /// Failures after which a delivery is parked.
  var maximumAttempts: Int { get }

  /// For each provider behind the channel, at least one, how many targets are tried at once: what the connections to it
  /// carry. More would only wait, and time out, in the driver.
  ///
  /// A provider that does not answer takes none from the others, for the messages in hand: once each of them waits for it,
  /// the dispatcher gets no more.
  var lanes: [Int] { get }

  /// The place of the target's provider in ``lanes``. If it has none there, the target is parked as
  /// ``DeliveryResult/noProvider``.
  func lane(of target: DispatchMessage.Target) -> Int?

  /// What ``deliver(_:to:content:)`` takes at most, whatever the provider does.
  var longestDelivery: Duration { get }

  /// Tries one target.
  func deliver(
    _ delivery: DispatchMessage.Delivery,
    to target: DispatchMessage.Target,
    content: NotificationContent
  ) async -> DeliveryResult

  /// Forgets targets that the provider knows no longer (an unregistered token, an address that does not exist).
  func forget(_ targets: [(user: UserID, target: DispatchMessage.Target, reason: String)]) async throws
}

/// A channel with one provider.
extension DeliveryChannel {
  public func lane(of target: DispatchMessage.Target) -> Int? { 0 }
}
