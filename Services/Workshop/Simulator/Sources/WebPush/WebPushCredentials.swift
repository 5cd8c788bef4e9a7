import Cryptography
import Foundation
import BelfryJSON

/// Verifies who sends a push (RFC 8292), as strictly as the strictest of the browsers' makers.
struct WebPushCredentials {
  /// Seconds for which a signature holds at most, and by which clocks may differ.
  static let (longestValidity, clockSkew) = (86_400.0, 60.0)

  /// - Parameters:
  ///   - authorization: The header.
  ///   - origins: The push service's: the one that it gives, and others by which it is reached.
  ///   - serverKey: The only key that is accepted; nil: any.
  ///   - now: Seconds since 1970.
  /// - Returns: The token's subject.
  static func check(_ authorization: String?, origins: [String], serverKey: String?, now: Double) throws(WebPushRefusal)
    -> String
  {
    guard let authorization else { throw .unauthorized("no Authorization") }
    let (token, key) = try parts(authorization)
    guard let point = Base64URL.bytes(key.utf8), let publicKey = try? PublicKey(p256: point) else {
      throw .unauthorized("k is no point of P-256")
    }
    if let serverKey, serverKey != key { throw .forbidden("another key than the subscription was made with") }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = json(parts[0]), let claims = json(parts[1]),
      let signature = Base64URL.bytes(parts[2].utf8), header["alg"]?.string == "ES256",
      header["typ"].map({ $0.string?.uppercased() == "JWT" }) ?? true
    else { throw .unauthorized("t is no token of ES256") }
    guard publicKey.isValid(signature, of: Array("\(parts[0]).\(parts[1])".utf8)) else {
      throw .forbidden("the signature is not k's")
    }
    guard let audience = claims["aud"]?.string, origins.contains(audience) else {
      throw .forbidden("aud is not \(origins.joined(separator: " or "))")
    }
    guard let expiry = claims["exp"]?.double, expiry > now - clockSkew else { throw .forbidden("exp has passed") }
    guard expiry <= now + longestValidity + clockSkew else { throw .forbidden("exp is more than a day ahead") }
    guard let subject = claims["sub"]?.string, isSubject(subject) else {
      throw .forbidden("BadJwtToken: sub is neither mailto: nor https:, or has blanks, brackets or localhost")
    }
    return subject
  }

  /// `vapid t=…, k=…`, in either order.
  private static func parts(_ authorization: String) throws(WebPushRefusal) -> (token: Substring, key: Substring) {
    guard authorization.prefix(6).lowercased() == "vapid " else { throw .unauthorized("Authorization is not vapid") }
    var values: [Substring: Substring] = [:]
    for part in authorization.dropFirst(6).split(separator: ",") {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
    guard let token = values["t"], let key = values["k"] else { throw .unauthorized("vapid needs t and k") }
    return (token, key)
  }

  private static func isSubject(_ text: String) -> Bool {
    (text.hasPrefix("mailto:") || text.hasPrefix("https://"))
      && text.allSatisfy { !$0.isWhitespace && !"<>()[]".contains($0) } && !text.hasSuffix("localhost")
  }

  private static func json(_ part: Substring) -> JSONValue? {
    guard let data = Base64URL.bytes(part.utf8) else { return nil }
    do { return try JSONParser.parse(data) } catch { return nil }
  }
}
