import Dispatching

extension ControlSettings {
  /// How the mail server and the recipients' domains are spared.
  ///
  /// - Parameters:
  ///   - perMinute: Mails to the mail server, of all dispatchers together; 0: as many as it takes.
  ///   - perDomain: The same to each domain.
  static func mail(perMinute: Int = 0, perDomain: Int = 0) -> ControlSettings {
    ControlSettings(
      quotaPerMinute: perMinute,
      scopeQuotaPerMinute: perDomain,
      slowsDown: true,
      // Mail servers that look into mails take that now and then.
      slowFrom: .milliseconds(100)
    )
  }
}
