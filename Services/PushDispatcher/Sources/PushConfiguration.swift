public import NotificationModel
public import NotificationQueue
public import ServiceRuntime
public import Settings

/// What the push dispatcher reads from its environment.
public struct PushConfiguration: ServiceConfiguration {
  public var parts: PartsConfiguration
  public var ladder: RetryLadder
  /// Those that this process serves.
  public var providers: PushProviders
  /// Dispatch messages in flight at once, of each provider.
  public var prefetch: Int
  public var maximumAttempts: Int
  public var fcm: FCMConfiguration
  public var apns: APNsConfiguration
  public var webPush: WebPushConfiguration
  /// With which devices report what they displayed.
  public var receipts: ReceiptKeys

  public init(_ settings: Settings) {
    parts = PartsConfiguration(settings)
    ladder = RetryLadder(settings)
    providers = PushProviders(settings)
    prefetch = settings.integer(
      "push.prefetch",
      default: 200,
      in: 1...10_000,
      "Dispatch messages (of up to 100 pushes) in flight at once."
    )
    maximumAttempts = settings.integer(
      "push.maximumAttempts",
      default: 6,
      in: 1...20,
      "Failures after which a push is dead-lettered."
    )
    fcm = FCMConfiguration(settings)
    apns = APNsConfiguration(settings)
    webPush = WebPushConfiguration(settings)
    receipts = ReceiptKeys(settings)
    if providers.isEmpty {
      settings.problem("BELFRY_PUSH_PROVIDERS names no provider to serve: without any, no push dispatcher is run")
    }
    if providers.carriers.contains(.fcm) { fcm.requireKey(settings) }
    if providers.carriers.contains(.apns) { apns.requireKey(settings) }
    if providers.carriers.contains(.webPush) { webPush.requireKey(settings) }
  }

  /// Of the providers that this process serves.
  var factories: [any PushProviderFactory] {
    let all: [any PushProviderFactory] = [
      FCMFactory(configuration: fcm, receipts: receipts), APNsFactory(configuration: apns, receipts: receipts),
      WebPushFactory(configuration: webPush, appearance: fcm.web, receipts: receipts),
    ]
    return all.filter { providers.carriers.contains($0.carrier) }
  }
}
