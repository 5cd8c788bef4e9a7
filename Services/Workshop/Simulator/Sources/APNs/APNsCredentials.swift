import Cryptography
import BelfryJSON

/// Whose connection it is: APNs binds it to the key and team of its first push.
struct APNsConnection: Sendable {
  fileprivate(set) var keyID: String?
  /// The token in use and when it was signed, in seconds since 1970.
  fileprivate(set) var token: String?
  fileprivate(set) var issued = 0.0
}

/// Verifies provider tokens (Apple, "Establishing a token-based connection to APNs").
struct APNsCredentials: Sendable {
  /// Seconds for which a token is good.
  static let lifetime = 3_600.0
  /// Seconds between two tokens at least.
  static let betweenUpdates = 1_200.0
  /// Seconds by which a client's clock may be ahead.
  static let clockSkew = 300.0

  let environment: APNsEnvironment
  let account: APNsAccount

  /// - Parameters:
  ///   - authorization: The header.
  ///   - now: Seconds since 1970.
  /// - Returns: Whether the connection has another token than before.
  func check(_ authorization: String?, on connection: inout APNsConnection, now: Double) throws(APNsReason) -> Bool {
    guard let authorization else { throw .missingProviderToken }
    guard authorization.prefix(7).lowercased() == "bearer " else { throw .invalidProviderToken }
    let token = String(authorization.dropFirst(7))
    if token == connection.token {
      guard now - connection.issued <= Self.lifetime else { throw .expiredProviderToken }
      return false
    }
    let (keyID, issued) = try verify(token, now: now)
    if let bound = connection.keyID, bound != keyID { throw .unrelatedKeyIDInToken }
    if connection.token != nil, issued - connection.issued < Self.betweenUpdates { throw .tooManyProviderTokenUpdates }
    (connection.keyID, connection.token, connection.issued) = (keyID, token, issued)
    return true
  }

  private func verify(_ token: String, now: Double) throws(APNsReason) -> (keyID: String, issued: Double) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = json(parts[0]), let claims = json(parts[1]),
      let signature = Base64URL.decode(parts[2].utf8), header["alg"]?.string == "ES256",
      let keyID = header["kid"]?.string, let key = account.keys.first(where: { $0.id == keyID }),
      key.key.publicKey.isValid([UInt8](signature), of: Array("\(parts[0]).\(parts[1])".utf8)),
      claims["iss"]?.string == APNsAccount.teamID, let issued = claims["iat"]?.double, issued <= now + Self.clockSkew
    else { throw .invalidProviderToken }
    guard key.environment == environment else { throw .badEnvironmentKeyInToken }
    guard now - issued <= Self.lifetime else { throw .expiredProviderToken }
    return (keyID, issued)
  }

  private func json(_ part: Substring) -> JSONValue? {
    guard let data = Base64URL.decode(part.utf8) else { return nil }
    do { return try JSONParser.parse([UInt8](data)) } catch { return nil }
  }
}
