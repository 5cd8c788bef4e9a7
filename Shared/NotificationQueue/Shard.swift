import Foundation
public import NotificationModel

/// An eighth of all users: the unit by which realtime messages are routed to in-app nodes.
public struct Shard: Hashable, Sendable {
  public static let count = 8
  public static let all = (0..<count).map { Shard(number: $0) }

  public let number: Int

  private init(number: Int) {
    self.number = number
  }

  /// The shard of a user: the same on every machine and in every version.
  public static func of(_ user: UserID) -> Shard {
    // The bytes of a UUID may be anything, so all sixteen are mixed (FNV-1a).
    let hash = withUnsafeBytes(of: user.uuid.uuid) { bytes in
      bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
    return all[Int((hash ^ hash >> 32) % UInt64(count))]
  }

  /// Routing key on `belfry.realtime`.
  public var routingKey: String { String(number) }
}
