public import NotificationModel
public import Settings

extension PublicURL: ServiceConfiguration {
  /// Reads `public.url`: of the email dispatcher.
  public init(_ settings: Settings) {
    self = settings.value(
      "public.url",
      default: PublicURL.none,
      kind: Self.kind,
      "Where people reach the gateway from the internet, for the links in mails by which they unsubscribe. Empty: no links."
    )
  }
}
