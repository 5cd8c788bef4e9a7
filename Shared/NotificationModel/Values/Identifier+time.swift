import Cryptography
public import Foundation

/// UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then version, variant and 74 other bits.
extension UUID {
  /// A UUIDv7 with `time` and the low 74 bits of `entropy` (at least 10 bytes are read).
  init(time: Date, entropy: UnsafeRawBufferPointer) {
    let milliseconds = UInt64(max(0, (time.timeIntervalSince1970 * 1_000).rounded()))
    var bytes = [UInt8](repeating: 0, count: 16)
    for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64((5 - index) * 8)) }
    for index in 0..<10 { bytes[6 + index] = entropy[index] }
    bytes[6] = bytes[6] & 0x0F | 0x70
    bytes[8] = bytes[8] & 0x3F | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The time alone, without version and variant: no UUIDv7 of that time or later comes before it.
  init(earliest time: Date) {
    let first = withUnsafeBytes(of: (UInt64(0), UInt64(0))) { UUID(time: time, entropy: $0) }.uuid
    self.init(uuid: (first.0, first.1, first.2, first.3, first.4, first.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// The time within a UUIDv7, to the millisecond; nil for any other version.
  public var time: Date? {
    guard uuid.6 >> 4 == 7 else { return nil }
    let bytes = [uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5]
    let milliseconds = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }
}

extension Identifier where Subject == RequestTag {
  /// A new request's id, at `now`.
  public init(now: Date) {
    self.init(
      withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { entropy in
        // The kernel is asked once; up to 256 bytes it always answers.
        let status = getentropy(entropy.baseAddress, entropy.count)
        precondition(status == 0, "The kernel gives no random bytes.")
        return UUID(time: now, entropy: UnsafeRawBufferPointer(entropy))
      }
    )
  }

  /// The id of what makes itself known by some bytes: its time, to the millisecond, and a hash of them.
  ///
  /// The same pair always gives the same id, so what is reported again is sent once.
  public init(time: Date, hashing bytes: [UInt8]) {
    self.init(SHA256.hash(bytes).withUnsafeBytes { UUID(time: time, entropy: $0) })
  }

  /// When the request was accepted; nil if the id is no UUIDv7.
  public var time: Date? { uuid.time }
}

extension Identifier where Subject == NotificationTag {
  /// The id of what `request` sends to `recipient`: a time, the rest a hash of both.
  ///
  /// The same pair always gives the same id, so a repeated request stores nothing twice.
  ///
  /// - Parameter instant: When it was due, if that is not the request's own time: the id places it in a week's partition.
  public init(request: RequestID, recipient: UserID, at instant: Date? = nil) {
    var hash = SHA256()
    withUnsafeBytes(of: request.uuid.uuid) { hash.update($0) }
    withUnsafeBytes(of: recipient.uuid.uuid) { hash.update($0) }
    let time = instant ?? request.time ?? Date(timeIntervalSince1970: 0)
    self.init(hash.finalize().withUnsafeBytes { UUID(time: time, entropy: $0) })
  }

  /// The first id of an instant: all ids of earlier instants come before it.
  public init(firstAt instant: Date) {
    self.init(UUID(earliest: instant))
  }

  /// When the notification's request was accepted; nil if the id is no UUIDv7.
  public var time: Date? { uuid.time }
}
