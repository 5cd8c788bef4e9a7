import NotificationModel

extension RealtimeMessage {
  /// Most changes and events of one message.
  static let maximumItems = 1_000

  /// Changes and events as messages, shard by shard: a user's in their order, the changes first, each message with the
  /// contents that it needs.
  static func messages(
    changes: [Change],
    contents: [NotificationContent],
    events: [Event]
  ) -> [(Shard, RealtimeMessage)] {
    let changes = Dictionary(grouping: changes) { Shard.of($0.userId) }
    let events = Dictionary(grouping: events) { Shard.of($0.userId) }
    var messages: [(Shard, RealtimeMessage)] = []
    for shard in Shard.all {
      var rest = (changes: (changes[shard] ?? [])[...], events: (events[shard] ?? [])[...])
      while !rest.changes.isEmpty || !rest.events.isEmpty {
        let first = rest.changes.prefix(maximumItems)
        let then = rest.events.prefix(rest.changes.count > maximumItems ? 0 : maximumItems - first.count)
        rest = (rest.changes.dropFirst(first.count), rest.events.dropFirst(then.count))
        messages.append((shard, RealtimeMessage(changes: Array(first), events: Array(then), of: contents)))
      }
    }
    return messages
  }
}
