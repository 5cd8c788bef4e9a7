/// The `Bearer` scheme of the Authorization header (RFC 6750, section 2.1).
public enum BearerToken {
  /// The token of an Authorization header's value.
  ///
  /// - Throws: ``AuthenticationError/missing`` without a header, ``AuthenticationError/malformed`` for another scheme
  ///   or an empty token.
  public static func parse(_ header: String?) throws(AuthenticationError) -> String {
    guard let header else { throw .missing }
    // An array of bytes, because every request comes here and a token has hundreds of characters.
    let space = UInt8(ascii: " ")
    let value = Array(header.utf8).drop { $0 == space }
    let scheme = value.prefix { $0 != space }
    guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer" else { throw .malformed }
    let token = value[scheme.endIndex...].drop { $0 == space }
    guard !token.isEmpty, !token.contains(space) else { throw .malformed }
    return String(decoding: token, as: UTF8.self)
  }
}
