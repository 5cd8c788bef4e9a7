import Cryptography
import Synchronization

/// Reads tokens' headers, and remembers the last one: nearly all tokens of a service have the same.
final class TokenHeaderReader: Sendable {
  private struct Known {
    let text: [UInt8]
    let header: TokenHeader
  }

  private let last = Mutex<Known?>(nil)

  /// What a header says, from its base64url.
  func read(_ text: Substring.UTF8View) throws(AuthenticationError) -> TokenHeader {
    if let known = last.withLock({ $0 }), known.text.elementsEqual(text) { return known.header }
    guard let json = Base64URL.bytes(text) else { throw .malformed }
    let header = try TokenHeader(json: json)
    last.withLock { $0 = Known(text: Array(text), header: header) }
    return header
  }
}
