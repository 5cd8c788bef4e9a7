import Dispatching
import NotificationModel
import NotificationQueue

/// A service that carries pushes to devices.
protocol PushProvider: Sendable {
  /// The platforms whose devices are its own.
  var platforms: Set<DevicePlatform> { get }

  /// Pushes at once: what its connections carry.
  var concurrency: Int { get }

  /// Pushes a notification to one device.
  func push(
    _ delivery: DispatchMessage.Delivery,
    to target: DispatchMessage.Target,
    content: NotificationContent
  ) async -> DeliveryResult
}
