import BelfryJSON
import NotificationModel
import NotificationQueue

/// Gathers events for some users into one realtime message per shard. Pure.
struct RelayBatch {
  private var relays: [Shard: [RealtimeMessage.Relay]] = [:]
  /// About how many bytes the messages' bodies have together.
  private var size = 0

  /// In bytes. Beyond it the router publishes what is gathered before it adds more, so that no message grows large.
  private static let maximumSize = 1_024 * 1_024
  /// 16 bytes in base64.
  private static let userSize = 22

  var isFull: Bool { size >= Self.maximumSize }

  mutating func add(_ event: RelayedEvent, to users: [UserID]) {
    for (shard, users) in Dictionary(grouping: users, by: Shard.of) {
      relays[shard, default: []].append(
        RealtimeMessage.Relay(
          name: event.type.name,
          payload: event.payload,
          arguments: event.type.arguments,
          amounts: event.type.amounts,
          userIds: users
        )
      )
      size += event.payloadSize + users.count * Self.userSize
    }
  }

  /// What was gathered; the batch is empty afterwards.
  mutating func take() -> [(shard: Shard, message: RealtimeMessage)] {
    defer { self = RelayBatch() }
    return relays.map { ($0, RealtimeMessage(relays: $1)) }
  }
}
