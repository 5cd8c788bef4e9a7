extension MailCheck {
  /// Whether mails bring a link that stops them by one click (RFC 8058), which Gmail and Yahoo ask of bulk mail.
  ///
  /// - Parameters:
  ///   - hasKeys: Whether `BELFRY_UNSUBSCRIBE_KEYS` is set.
  ///   - publicURL: `BELFRY_PUBLIC_URL`; empty: not set.
  static func unsubscribe(hasKeys: Bool, publicURL: String) -> MailFinding {
    let isSecure = publicURL.lowercased().hasPrefix("https://")
    var missing = hasKeys ? [] : ["BELFRY_UNSUBSCRIBE_KEYS"]
    if !isSecure { missing.append("BELFRY_PUBLIC_URL (https)") }
    return missing.isEmpty
      ? .good(.unsubscribe, "mails of categories with unsubscribe: true have a link that stops them by one click")
      : .note(
        .unsubscribe,
        "no mail has a link that stops it by one click: \(missing.joined(separator: " and ")) is missing",
        "set both before you send bulk mail: Gmail, Yahoo and Outlook refuse it otherwise"
      )
  }
}
