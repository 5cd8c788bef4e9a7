/// Checks mail addresses as far as that makes sense: only the mail server knows whether one exists.
public enum MailAddress {
  /// Whether the text can stand in an SMTP command and a header: one `@` with something on both sides, visible ASCII
  /// without angle brackets, quotes, commas and the like, at most 254 characters (RFC 5321).
  public static func isPlausible(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64, !parts[1].isEmpty, text.utf8.count <= 254
    else { return false }
    let forbidden = Set("<>()[]\\,;:\" ".utf8)
    return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !forbidden.contains($0) }
  }

  /// The form in which two addresses of one mailbox are the same text: the domain, which knows no case, in small letters. What is
  /// before it is left as it is (RFC 5321, 2.4). As `belfry_mail_address` in the schema.
  public static func canonical(_ text: String) -> String {
    guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
    let domain = text.utf8[at...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return String(text[..<at]) + String(decoding: domain, as: UTF8.self)
  }
}
