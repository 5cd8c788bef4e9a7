public import NotificationModel
public import Settings

extension ReceiptKeys: ServiceConfiguration {
  /// Reads `receipts.keys`: of the push dispatcher and of gateways.
  public init(_ settings: Settings) {
    let text = settings.string(
      "receipts.keys",
      default: "",
      "Secrets that sign receipts, by which devices report what they displayed, separated by commas, each of at least 32 bytes: the "
        + "first one signs, all are recognised. Give gateway and push dispatcher the same. Empty: no receipts.",
      isSecret: true
    )
    let secrets = Settings.entries(of: text)
    if secrets.contains(where: { $0.utf8.count < Self.minimumLength }) {
      settings.problem("BELFRY_RECEIPTS_KEYS: each secret has at least \(Self.minimumLength) bytes")
    }
    self.init(secrets)
  }
}
