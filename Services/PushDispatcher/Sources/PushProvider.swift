import Dispatching
import NotificationModel

/// A service that carries pushes to devices.
protocol PushProvider: Sendable {
  /// The platforms whose devices are its own.
  var platforms: Set<DevicePlatform> { get }

  /// Pushes at once: what its connections carry.
  var concurrency: Int { get }

  /// Pushes a notification to one device.
  func push(_ targeted: TargetedDelivery) async -> DeliveryResult
}
