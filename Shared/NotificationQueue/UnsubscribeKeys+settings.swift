public import NotificationModel
public import Settings

extension UnsubscribeKeys: ServiceConfiguration {
  /// Reads `unsubscribe.keys`: of the email dispatcher and of gateways.
  public init(_ settings: Settings) {
    let text = settings.string(
      "unsubscribe.keys",
      default: "",
      "Secrets that sign links by which people unsubscribe from mails, separated by commas, each of at least 32 bytes: the first one "
        + "signs, all are recognised; links are valid for 60 days. Give gateway and email dispatcher the same. Empty: no links.",
      isSecret: true
    )
    let secrets = Settings.entries(of: text)
    if secrets.contains(where: { $0.utf8.count < Self.minimumLength }) {
      settings.problem("BELFRY_UNSUBSCRIBE_KEYS: each secret has at least \(Self.minimumLength) bytes")
    }
    self.init(secrets)
  }
}
