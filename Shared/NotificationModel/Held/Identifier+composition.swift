import Cryptography
public import Foundation

extension Identifier where Subject == NotificationTag {
  /// The id of what delivers several notifications of a user as one: the time they were due, the rest a hash.
  ///
  /// - Parameters: `type` and `key` are the digest's; nil and empty for what delivers whatever was held.
  public init(user: UserID, channel: Channel, due: Date, type: Int?, key: String) {
    var hash = SHA256()
    withUnsafeBytes(of: user.uuid.uuid) { hash.update($0) }
    let milliseconds = Int64((due.timeIntervalSince1970 * 1_000).rounded())
    hash.update(Array("\(channel.rawValue) \(milliseconds) \(type ?? 0) \(key)".utf8))
    self.init(hash.finalize().withUnsafeBytes { UUID(time: due, entropy: $0) })
  }
}
