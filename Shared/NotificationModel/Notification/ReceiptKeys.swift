import Cryptography
public import Foundation

/// The secrets with which dispatchers sign receipts (HMAC with SHA-256) and gateways recognise them. The first one signs; the others are
/// recognised, so that secrets can be replaced. They are in no description.
public struct ReceiptKeys: Sendable, CustomStringConvertible, CustomReflectable {
  /// Of a secret, in bytes.
  public static let minimumLength = 32
  public static let none = ReceiptKeys([])

  private static let version: UInt8 = 1
  private static let uuidCount = 16
  /// Version, three ids, and the time.
  private static let contentCount = 1 + 3 * uuidCount + 4
  private static let codeCount = 16
  /// Characters of a receipt's text.
  private static let textCount = ((contentCount + codeCount) * 4 + 2) / 3
  /// Whatever else a secret signs is no receipt.
  private static let purpose = Array("belfry receipt\0".utf8)

  private let keys: [HMACSHA256]

  public var description: String { "ReceiptKeys(\(keys.count))" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  public init(_ secrets: [String]) {
    keys = secrets.map { HMACSHA256(key: Array($0.utf8)) }
  }

  /// Whether no receipts are made, and none recognised.
  public var isEmpty: Bool { keys.isEmpty }

  /// The receipt in base64url; nil without a secret.
  public func text(of receipt: DeliveryReceipt) -> String? {
    guard let key = keys.first else { return nil }
    var bytes = Self.purpose
    bytes.reserveCapacity(Self.purpose.count + Self.contentCount + Self.codeCount)
    bytes.append(Self.version)
    for uuid in [receipt.user.uuid, receipt.notification.uuid, receipt.device.uuid] {
      withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
    }
    let seconds = UInt32(clamping: Int64(min(max(0, receipt.expiry.timeIntervalSince1970), 1e18)))
    withUnsafeBytes(of: seconds.bigEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: key.code(of: bytes).prefix(Self.codeCount))
    return Base64URL.encode(bytes[Self.purpose.count...])
  }

  /// Nil for a text that is none, that is signed with another secret, or that has expired.
  public func receipt(_ text: String, at now: Date) -> DeliveryReceipt? {
    guard text.utf8.count == Self.textCount, let bytes = Base64URL.bytes(text.utf8),
      bytes.count == Self.contentCount + Self.codeCount, bytes[0] == Self.version
    else { return nil }
    let content = Array(bytes[..<Self.contentCount])
    let code = bytes[Self.contentCount...]
    guard keys.contains(where: { isSame(self.code(of: content, by: $0), code) }) else { return nil }
    let seconds = content[(1 + 3 * Self.uuidCount)...].reduce(0) { $0 << 8 | UInt32($1) }
    let receipt = DeliveryReceipt(
      user: UserID(uuid(0, of: content)),
      notification: NotificationID(uuid(1, of: content)),
      device: DeviceID(uuid(2, of: content)),
      expiry: Date(timeIntervalSince1970: TimeInterval(seconds))
    )
    return now <= receipt.expiry ? receipt : nil
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
    let start = 1 + index * Self.uuidCount
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: content[start..<start + Self.uuidCount]) }
    return UUID(uuid: uuid)
  }
}
