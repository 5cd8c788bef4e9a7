import Cryptography
public import Foundation

/// The secrets with which email dispatchers sign links to unsubscribe (HMAC with SHA-256) and gateways recognise them. The first one
/// signs; the others are recognised, so that secrets can be replaced. They are in no description.
public struct UnsubscribeKeys: Sendable, CustomStringConvertible, CustomReflectable {
  /// What a text is that one of the secrets has signed.
  public enum Reading: Sendable, Equatable {
    case valid(UnsubscribeLink)
    /// A link of before: it says whose it was, and changes nothing.
    case expired(UnsubscribeLink)
  }

  /// Of a secret, in bytes.
  public static let minimumLength = 32
  /// Bytes of a category's name: four for each of its 64 characters.
  public static let maximumCategory = 256
  public static let none = UnsubscribeKeys([])

  private static let version: UInt8 = 1
  private static let uuidCount = 16
  private static let timeCount = 4
  /// Version, user, the notification's time and that of the end; the category's name follows.
  private static let headCount = 1 + uuidCount + 2 * timeCount
  private static let codeCount = 16
  /// Characters of a link's text.
  private static let textCounts = characters(of: 1)...characters(of: maximumCategory)
  /// Whatever else a secret signs is no link.
  private static let purpose = Array("belfry unsubscribe\0".utf8)

  private let keys: [HMACSHA256]

  public var description: String { "UnsubscribeKeys(\(keys.count))" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  public init(_ secrets: [String]) {
    keys = secrets.map { HMACSHA256(key: Array($0.utf8)) }
  }

  /// Whether no links are made, and none recognised.
  public var isEmpty: Bool { keys.isEmpty }

  /// The link in base64url; nil without a secret, and for a category whose name is longer than a catalogue's may be.
  public func text(of link: UnsubscribeLink) -> String? {
    guard let key = keys.first, 1...Self.maximumCategory ~= link.category.utf8.count else { return nil }
    var bytes = [Self.version]
    withUnsafeBytes(of: link.user.uuid.uuid) { bytes.append(contentsOf: $0) }
    for date in [link.issuedAt, link.expiry] {
      let seconds = UInt32(clamping: Int64(min(max(0, date.timeIntervalSince1970), 1e18)))
      withUnsafeBytes(of: seconds.bigEndian) { bytes.append(contentsOf: $0) }
    }
    bytes += link.category.utf8
    return Base64URL.encode(bytes + code(of: bytes, by: key))
  }

  /// Nil for a text that is none, or that is signed with another secret.
  public func read(_ text: String, at now: Date) -> Reading? {
    guard Self.textCounts.contains(text.utf8.count), let bytes = Base64URL.bytes(text.utf8),
      bytes.count > Self.headCount + Self.codeCount, bytes[0] == Self.version
    else { return nil }
    let content = Array(bytes.dropLast(Self.codeCount))
    let code = bytes.suffix(Self.codeCount)
    guard keys.contains(where: { isSame(self.code(of: content, by: $0), code) }) else { return nil }
    let link = UnsubscribeLink(
      user: UserID(uuid(of: content)),
      category: String(decoding: content[Self.headCount...], as: UTF8.self),
      issuedAt: date(1 + Self.uuidCount, of: content),
      expiry: date(1 + Self.uuidCount + Self.timeCount, of: content)
    )
    return now <= link.expiry ? .valid(link) : .expired(link)
  }

  private static func characters(of category: Int) -> Int { ((headCount + category + codeCount) * 4 + 2) / 3 }

  private func code(of bytes: [UInt8], by key: HMACSHA256) -> [UInt8] {
    Array(key.code(of: Self.purpose + bytes).prefix(Self.codeCount))
  }

  /// How long it looks tells nobody anything about the right one.
  private func isSame(_ right: [UInt8], _ code: ArraySlice<UInt8>) -> Bool {
    zip(right, code).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func date(_ start: Int, of content: [UInt8]) -> Date {
    let seconds = content[start..<(start + Self.timeCount)].reduce(0) { $0 << 8 | UInt32($1) }
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  private func uuid(of content: [UInt8]) -> UUID {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: content[1...Self.uuidCount]) }
    return UUID(uuid: uuid)
  }
}
