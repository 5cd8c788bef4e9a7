import BelfryJSON

/// The header of a signed token (RFC 7515, section 4).
struct TokenHeader {
  let algorithm: String
  let keyID: String?
  /// Whether there are extensions that must be understood; none are, so any is a reason to refuse.
  let isCritical: Bool

  init(json: [UInt8]) throws(AuthenticationError) {
    guard let members = (try? JSONParser.parse(json))?.members, let algorithm = members["alg"]?.string else {
      throw .malformed
    }
    self.algorithm = algorithm
    let keyID = members["kid"]
    guard keyID == nil || keyID?.string != nil else { throw .malformed }
    self.keyID = keyID?.string
    isCritical = members["crit"] != nil
  }
}
