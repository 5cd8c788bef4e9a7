import Foundation

/// Reads what clients send in an AUTH exchange.
enum SMTPCredentials {
  /// Text in base64; `=` stands for an empty one.
  static func decode(_ text: String) -> String? {
    if text == "=" { return "" }
    guard let data = Data(base64Encoded: text) else { return nil }
    return String(validating: data, as: UTF8.self)
  }

  /// The message of PLAIN: authorization identity, user and password between zero bytes (RFC 4616).
  static func plain(_ text: String) -> (user: String, password: String)? {
    let parts = text.split(separator: "\0", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    return (String(parts[1]), String(parts[2]))
  }
}
