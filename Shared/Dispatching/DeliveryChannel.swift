public import NotificationModel
public import NotificationQueue

/// One way of delivering: what a dispatcher adds to ``DispatchWorker``.
public protocol DeliveryChannel: Sendable {
  var queue: WorkQueue { get }
  var channel: Channel { get }
  /// Failures after which a delivery is parked.
  var maximumAttempts: Int { get }

  /// Targets tried at once: what the provider's connections carry. More would only wait, and time out, in the driver.
  var concurrency: Int { get }

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
