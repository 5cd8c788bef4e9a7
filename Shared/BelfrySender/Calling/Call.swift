import Foundation

/// A request to the gateway that may be repeated: its body and key stay what they are.
struct Call: Sendable {
  var method: String
  /// Below `/api/v1/`, each percent-encoded when the address is made.
  var path: [String]
  var query: [(name: String, value: String)] = []
  /// Beside those that every request has.
  var headers: [String: String] = [:]
  var body: Data?
  var idempotencyKey: String?

  /// What a path or a query has without an escape (RFC 3986, unreserved).
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  )

  private static func escaped(_ text: String) -> String {
    // Fails for no text in UTF-8.
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// - Parameter gateway: Without a slash at its end.
  func url(at gateway: String) -> URL? {
    let path = path.map(Self.escaped).joined(separator: "/")
    let query = query.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
    return URL(string: "\(gateway)/api/v1/\(path)\(query.isEmpty ? "" : "?\(query)")")
  }
}
