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
}
