import BelfryJSON
import Foundation

/// Which tokens are valid, and whose they are.
struct ServedTokens: Sendable {
  private var issued = 0
  private var seen: Set<String> = []
  private var expired: Set<String> = []

  mutating func issue(_ user: String) -> String {
    issued += 1
    let claims = JSONWriter.text(.object([JSONMember("sub", user), JSONMember("jti", issued)]))
    let text = Data(claims.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    let token = "e30.\(text.replacing("=", with: "")).memory"
    seen.insert(token)
    return token
  }

  /// Nil for a token that is refused.
  mutating func user(of token: String) -> String? {
    if token.isEmpty || expired.contains(token) { return nil }
    seen.insert(token)
    return Self.subject(of: token) ?? InMemoryServer.user
  }

  mutating func expire() {
    expired.formUnion(seen)
    seen = []
  }

  private static func subject(of token: String) -> String? {
    let parts = token.split(separator: ".")
    guard parts.count == 3 else { return nil }
    var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let claims = Data(base64Encoded: String(text)), let json = try? JSONParser.parse(Array(claims)) else {
      return nil
    }
    return json["sub"]?.string
  }
}
