public import NotificationModel
public import Settings

extension ReturnPath {
  /// The secrets of `email.returnPathKeys`: of gateways, which only read what is signed.
  public init(reading settings: Settings) {
    self.init(reading: Self.secrets(settings))
  }

  /// Reads `email.returnPathKeys`: of the email dispatcher and of gateways.
  public static func secrets(_ settings: Settings) -> [String] {
    let text = settings.string(
      "email.returnPathKeys",
      default: "",
      "Secrets that sign the addresses to which mails return, separated by commas, each of at least 32 bytes: the first one signs, all are "
        + "recognised. Give gateway and email dispatcher the same. Empty: BELFRY_EMAIL_RETURN_PATH is used as it is.",
      isSecret: true,
      isShared: true
    )
    let secrets = Settings.entries(of: text)
    if secrets.contains(where: { $0.utf8.count < minimumSecret }) {
      settings.problem("BELFRY_EMAIL_RETURN_PATH_KEYS: each secret has at least \(minimumSecret) bytes")
    }
    return secrets
  }
}
