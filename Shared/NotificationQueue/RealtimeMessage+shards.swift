import NotificationModel

extension RealtimeMessage {
  /// Most changes and events of one message.
  static let maximumTold = 1_000

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
        let first = rest.changes.prefix(maximumTold)
        let then = rest.events.prefix(rest.changes.count > maximumTold ? 0 : maximumTold - first.count)
        rest = (rest.changes.dropFirst(first.count), rest.events.dropFirst(then.count))
        messages.append((shard, message(first, contents, then)))
      }
    }
    return messages
  }

  private static func message(
    _ changes: some Sequence<Change>,
    _ contents: [NotificationContent],
    _ events: some Sequence<Event>
  ) -> RealtimeMessage {
    var message = RealtimeMessage(events: Array(events))
    var places: [Int: Int] = [:]
    for var change in changes {
      if case .changed(let own, let content) = change.state {
        let place = places[content] ?? message.contents.count
        if places.updateValue(place, forKey: content) == nil { message.contents.append(contents[content]) }
        change.state = .changed(own, content: place)
      }
      message.changes.append(change)
    }
    return message
  }
}
