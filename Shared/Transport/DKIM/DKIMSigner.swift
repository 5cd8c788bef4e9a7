public import Cryptography
import Foundation

/// Signs mails in the name of a domain: rsa-sha256, relaxed/relaxed, the whole body.
///
/// The same message always gets the same signature: it has no time in it.
/// Sources: RFC 6376 (DKIM), RFC 8301 (SHA-256, keys of 1,024 bits at least; ours have 2,048).
public struct DKIMSigner: Sendable {
  /// Whose record has the public key (`d=`).
  public let domain: String
  /// Under which name it has it (`s=`).
  public let selector: String
  private let key: PrivateKey
  /// Those of ``signedHeaders`` that are left out, in lower case.
  private let unsigned: Set<String>

  /// What is signed, where a message has it, in lower case: in this order, as often as it is there; and every `list-…`.
  public static let signedHeaders = [
    "from", "to", "subject", "reply-to", "date", "message-id", "mime-version", "content-type",
    "content-transfer-encoding", "feedback-id",
  ]

  /// Signed once more than a message has them, so that nobody adds another which a reader would show instead.
  /// List headers only where a message has them: servers on the way may give it their own.
  static let oversigned: Set = [
    "from", "to", "subject", "reply-to", "content-type", "list-unsubscribe", "list-unsubscribe-post",
  ]

  /// - Parameters:
  ///   - domain: That of the From address, or one above it.
  ///   - unsigned: Headers that the mail server writes anew. Never `from`: a signature is void without it.
  public init(domain: String, selector: String, key: PrivateKey, unsigned: Set<String> = []) {
    self.domain = domain
    self.selector = selector
    self.key = key
    self.unsigned = Set(unsigned.map { $0.lowercased() }).subtracting(["from"])
  }

  /// The message with a signature before its other headers.
  ///
  /// - Parameter message: RFC 5322, lines ending in CRLF.
  /// - Throws: `.invalidRequest("DKIM-Signature")` where OpenSSL cannot sign.
  public func sign(_ message: [UInt8]) throws(TransportError) -> [UInt8] {
    let parts = DKIMCanonicalization.parts(of: message)
    let bodyHash = Data(SHA256.hash(DKIMCanonicalization.body(parts.body))).base64EncodedString()
    let chosen = chosenHeaders(parts.headers)
    let names = folded(chosen.names.map { "\($0):" }).dropLast()
    let open = """
      DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=\(domain);\r
       s=\(selector);\r
       h=\(names);\r
       bh=\(bodyHash);\r
       b=
      """
    var signed: [UInt8] = []
    for header in chosen.headers { signed += DKIMCanonicalization.header(header) + [13, 10] }
    // The signature's own header comes last, without its value and without a line end (RFC 6376, section 3.7).
    signed += DKIMCanonicalization.header(Array(open.utf8)[...])
    let signature: [UInt8]
    do {
      signature = try key.derSignature(of: signed)
    } catch {
      throw .invalid("DKIM-Signature")
    }
    var mail = Array(open.utf8)
    mail.reserveCapacity(mail.count + 2 * signature.count + message.count)
    let text = Array(Data(signature).base64EncodedString().utf8)
    for start in stride(from: 0, to: text.count, by: 72) {
      if start > 0 { mail += "\r\n ".utf8 }
      mail += text[start..<min(start + 72, text.count)]
    }
    mail += "\r\n".utf8
    return mail + message
  }

  /// What `h=` names, and the headers that it means, in the same order. Of several with one name the last comes first (RFC 6376,
  /// section 5.4.2).
  private func chosenHeaders(_ headers: [ArraySlice<UInt8>]) -> (names: [String], headers: [ArraySlice<UInt8>]) {
    var names: [String] = []
    var chosen: [ArraySlice<UInt8>] = []
    let named = headers.map { (name: DKIMCanonicalization.name(of: $0), header: $0) }
    var lists: [String] = []
    for (name, _) in named where name.hasPrefix("list-") && !lists.contains(name) { lists.append(name) }
    for name in Self.signedHeaders + lists where !unsigned.contains(name) {
      let found = named.filter { $0.name == name }.reversed()
      chosen += found.map(\.header)
      names += found.map(\.name)
      if Self.oversigned.contains(name) { names.append(name) }
    }
    return (names, chosen)
  }

  /// Words in lines of at most some 76 characters.
  private func folded(_ words: [String]) -> String {
    var (text, width) = ("", 3)
    for word in words {
      if width + word.utf8.count > 76 {
        text += "\r\n  "
        width = 2
      }
      text += word
      width += word.utf8.count
    }
    return text
  }
}
