import Dispatching
import NotificationModel
import NotificationQueue

/// A service that carries pushes to devices.
protocol PushProvider: Sendable {
  /// Pushes a notification to one device.
  func push(
    _ delivery: DispatchMessage.Delivery,
    to target: DispatchMessage.Target,
    content: NotificationContent
  ) async -> DeliveryResult
}

/// The providers that this dispatcher reaches, each with the targets that are its own.
struct PushProviders: Sendable {
  let fcm: any PushProvider

  /// The one that knows the target. All targets have FCM's tokens so far.
  func provider(of target: DispatchMessage.Target) -> any PushProvider { fcm }
}
