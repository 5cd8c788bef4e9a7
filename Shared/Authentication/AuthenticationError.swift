/// Why a token was refused, or why the verifier could not be set up.
///
/// The description is meant for the client: it says what is wrong with the token and repeats nothing of it.
public enum AuthenticationError: Error, Sendable, Equatable {
  /// There is no token at all.
  case missing
  /// It is no signed JWT, too long, or its header or claims cannot be read.
  case malformed
  /// The algorithm is not among those that this verifier has keys for; `none` never is.
  case unsupportedAlgorithm
  /// No key has the token's key id and algorithm.
  case unknownKey
  case badSignature
  case missingExpiration
  case expired
  case notYetValid
  case wrongIssuer
  case wrongAudience
  /// None of the claims that may hold the user's id is there.
  case missingSubject
  /// The verifier's configuration is unusable; the text says why, without secrets.
  case invalidConfiguration(String)

  /// Always false: the same token will be refused again.
  public var isTransient: Bool { false }
}

extension AuthenticationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing: "A bearer token is required."
    case .malformed: "The token is malformed."
    case .unsupportedAlgorithm: "The token's algorithm is not accepted."
    case .unknownKey: "The token is signed with an unknown key."
    case .badSignature: "The token's signature is invalid."
    case .missingExpiration: "The token has no expiration time."
    case .expired: "The token has expired."
    case .notYetValid: "The token is not valid yet."
    case .wrongIssuer: "The token's issuer is not accepted."
    case .wrongAudience: "The token is meant for another audience."
    case .missingSubject: "The token names no subject."
    case .invalidConfiguration(let reason): "Token verification is misconfigured: \(reason)"
    }
  }
}
