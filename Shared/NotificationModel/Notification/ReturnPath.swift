import Cryptography
import Foundation

/// The address to which a mail returns that cannot be delivered: one for each delivery, signed, so that a report which comes to it says by
/// itself whose mail it was, and nobody else can make one (VERP with an HMAC).
///
/// `bounces@mail.example` becomes `bounces+<56 characters>@mail.example`: both ids and the first 10 bytes of an HMAC with SHA-256, in
/// base64url. A local part has 64 characters (RFC 5321, section 4.5.3.1.1), so seven are left for the name. The same delivery always has
/// the same address: greylists know senders by it.
public struct ReturnPath: Sendable, CustomStringConvertible, CustomReflectable {
  /// Of a secret, in bytes.
  public static let minimumSecret = 32
  /// Characters of the address before the `@`.
  public static let maximumName = 7
  public static let none = ReturnPath(name: "", domain: "", [])

  private static let uuidCount = 16
  private static let codeCount = 10
  private static let contentCount = 2 * uuidCount
  private static let textCount = ((contentCount + codeCount) * 4 + 2) / 3
  /// Whatever else a secret signs is no address.
  private static let purpose = Array("belfry return path\0".utf8)

  private let name: String
  private let domain: String
  private let keys: [HMACSHA256]

  public var description: String { isEmpty ? "ReturnPath(none)" : "ReturnPath(\(name)@\(domain))" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  private init(name: String, domain: String, _ secrets: [String]) {
    (self.name, self.domain) = (name, domain)
    keys = secrets.map { HMACSHA256(key: Array($0.utf8)) }
  }

  /// - Parameters:
  ///   - address: Without the part that is added. Nil for one that is none, or whose name is too long or has a `+`.
  ///   - secrets: The first one signs; the others are recognised, so that secrets can be replaced.
  public init?(_ address: String, secrets: [String]) {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard MailAddress.isPlausible(address), parts[0].utf8.count <= Self.maximumName, !parts[0].contains("+") else {
      return nil
    }
    self.init(name: String(parts[0]), domain: String(parts[1]), secrets)
  }

  /// One that only reads: for who gets the reports, and sends nothing.
  public init(reading secrets: [String]) {
    self.init(name: "", domain: "", secrets)
  }

  /// Whether no addresses are made, and none recognised.
  public var isEmpty: Bool { keys.isEmpty }

  /// Nil without a secret or an address.
  public func address(for user: UserID, _ notification: NotificationID) -> String? {
    guard let key = keys.first, !domain.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.contentCount + Self.codeCount)
    for uuid in [user.uuid, notification.uuid] { withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) } }
    return "\(name)+\(Base64URL.encode(bytes + code(of: bytes, by: key)))@\(domain)"
  }

  /// Whose mail returns to an address; nil if it is none of ours. Its name and domain do not count: the code proves it.
  public func read(_ address: String) -> (user: UserID, notification: NotificationID)? {
    let text = address.prefix { $0 != "@" }
    guard let plus = text.firstIndex(of: "+") else { return nil }
    let token = text[text.index(after: plus)...].utf8
    guard token.count == Self.textCount, let bytes = Base64URL.bytes(token),
      bytes.count == Self.contentCount + Self.codeCount
    else { return nil }
    let content = Array(bytes[..<Self.contentCount])
    let code = bytes[Self.contentCount...]
    guard keys.contains(where: { isSame(self.code(of: content, by: $0), code) }) else { return nil }
    return (UserID(uuid(0, of: content)), NotificationID(uuid(1, of: content)))
  }

  private func code(of bytes: [UInt8], by key: HMACSHA256) -> [UInt8] {
    Array(key.code(of: Self.purpose + bytes).prefix(Self.codeCount))
  }

  /// How long it looks tells nobody anything about the right one.
  private func isSame(_ right: [UInt8], _ code: ArraySlice<UInt8>) -> Bool {
    zip(right, code).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func uuid(_ index: Int, of content: [UInt8]) -> UUID {
    var uuid = UUID().uuid
    let start = index * Self.uuidCount
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: content[start..<start + Self.uuidCount]) }
    return UUID(uuid: uuid)
  }
}
