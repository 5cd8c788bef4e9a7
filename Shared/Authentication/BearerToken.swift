/// The `Bearer` scheme of the Authorization header (RFC 6750, section 2.1).
public enum BearerToken {
  /// The token of an Authorization header's value.
  ///
  /// - Throws: ``AuthenticationError/missing`` without a header, ``AuthenticationError/malformed`` for another scheme
  ///   or an empty token.
  public static func parse(_ header: String?) throws(AuthenticationError) -> String {
    guard let header else { throw .missing }
    let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .malformed }
    let token = parts[1].drop { $0 == " " }
    guard !token.isEmpty, !token.contains(" ") else { throw .malformed }
    return String(token)
  }
}
