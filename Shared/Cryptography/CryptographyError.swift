/// Why a key, a signature or a sealed text cannot be used.
public enum CryptographyError: Error, Equatable, CustomStringConvertible {
  /// What was given is no key of the expected kind, in OpenSSL's words.
  case invalidKey(String)
  /// A sealed text was changed, or sealed under another key, nonce or header.
  case notAuthentic
  /// It could not be signed or agreed upon, in OpenSSL's words.
  case failed(String)

  public var description: String {
    switch self {
    case .invalidKey(let reason), .failed(let reason): reason
    case .notAuthentic: "the text is not authentic"
    }
  }
}
