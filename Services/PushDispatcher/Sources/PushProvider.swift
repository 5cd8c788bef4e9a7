import Dispatching
import NotificationModel

/// A service that carries pushes to devices.
protocol PushProvider: Sendable {
  /// The platforms whose devices are its own.
  var platforms: Set<DevicePlatform> { get }

  /// Whether it delivers to topics and conditions.
  var servesTopics: Bool { get }

  /// Pushes at once: what its connections carry.
  var concurrency: Int { get }

  /// Whom the provider's limits and troubles with the target are about.
  func scope(of targeted: TargetedDelivery) -> ProviderScope

  /// How the provider is spared.
  var control: ControlSettings { get }

  /// Pushes a notification to one device, or to a topic.
  func push(_ targeted: TargetedDelivery) async -> DeliveryResult
}

/// A provider of devices alone, with one scope and without a quota.
extension PushProvider {
  var servesTopics: Bool { false }

  func scope(of targeted: TargetedDelivery) -> ProviderScope { .whole }

  var control: ControlSettings { ControlSettings() }
}
