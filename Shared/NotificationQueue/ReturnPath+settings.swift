public import NotificationModel
public import Settings

extension ReturnPath {
  /// Reads `email.returnPath` and `email.returnPathKeys`: of the email dispatcher.
  public init(_ settings: Settings) {
    let address = settings.string(
      "email.returnPath",
      default: "",
      "Address to which undeliverable mails return, e.g. bounces@bounces.example.com, at most 7 characters before the @. Each mail gets one "
        + "of its own, `bounces+…@bounces.example.com`; needs BELFRY_EMAIL_RETURN_PATH_KEYS. Empty: they return to BELFRY_EMAIL_FROM."
    )
    let secrets = Self.secrets(settings)
    guard !address.isEmpty else {
      self = .none
      return
    }
    guard let path = ReturnPath(address, secrets: secrets) else {
      settings.problem(
        "BELFRY_EMAIL_RETURN_PATH: expected an address such as bounces@bounces.example.com, with at most \(Self.maximumName) characters and no + before the @"
      )
      self = .none
      return
    }
    if secrets.isEmpty { settings.problem("BELFRY_EMAIL_RETURN_PATH needs BELFRY_EMAIL_RETURN_PATH_KEYS") }
    self = path
  }

  /// The same secrets for who only gets the reports: gateways.
  public init(reading settings: Settings) {
    self.init(reading: Self.secrets(settings))
  }

  private static func secrets(_ settings: Settings) -> [String] {
    let text = settings.string(
      "email.returnPathKeys",
      default: "",
      "Secrets that sign the addresses to which mails return, separated by commas, each of at least 32 bytes: the first one signs, all are "
        + "recognised. Give gateway and email dispatcher the same.",
      isSecret: true,
      isShared: true
    )
    let secrets = text.split(separator: ",").map(String.init)
    if secrets.contains(where: { $0.utf8.count < minimumSecret }) {
      settings.problem("BELFRY_EMAIL_RETURN_PATH_KEYS: each secret has at least \(minimumSecret) bytes")
    }
    return secrets
  }
}
