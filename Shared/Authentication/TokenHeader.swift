/// The header of a signed token (RFC 7515, section 4).
struct TokenHeader: Decodable {
  let algorithm: String
  let keyID: String?
  /// Extensions that must be understood; none are, so any is a reason to refuse.
  let critical: [String]?

  private enum CodingKeys: String, CodingKey {
    case algorithm = "alg"
    case keyID = "kid"
    case critical = "crit"
  }
}
