import NotificationModel
import NotificationQueue
import NotificationStore

/// Gathers what routing decided into messages for the dispatchers. Pure.
struct DispatchBuilder {
  let contents: [NotificationContent]
  var channels = Channel.routing

  /// The messages of every channel that has a queue.
  func dispatches(_ routed: [RoutedNotification]) -> [(queue: WorkQueue, message: DispatchMessage)] {
    channels.filter(\.hasQueue).flatMap { routing in
      dispatches(routed, over: routing).map { (queue: WorkQueue(routing), message: $0) }
    }
  }

  /// Messages of up to 100 deliveries. Those that an earlier attempt may have sent go apart, marked for a recheck:
  /// dispatchers look up first what has an outcome.
  func dispatches(_ routed: [RoutedNotification], over routing: some RoutingChannel) -> [DispatchMessage] {
    var messages: [DispatchMessage] = []
    for isNew in [true, false] {
      let deliveries = routed.compactMap { item -> DispatchMessage.Delivery? in
        guard item.isNew == isNew, item.isSent(on: routing.channel) else { return nil }
        let targets = routing.targets(of: item.recipient)
        guard !targets.isEmpty else { return nil }
        return DispatchMessage.Delivery(
          notificationId: item.id,
          userId: item.userID,
          content: item.content,
          badge: item.unread,
          hasSound: item.recipient.isSoundEnabled,
          hasBadge: item.recipient.isBadgeEnabled,
          targets: targets
        )
      }
      let whole = DispatchMessage(recheck: !isNew, contents: contents, deliveries: [])
      for start in stride(from: 0, to: deliveries.count, by: DispatchMessage.maximumDeliveries) {
        let part = deliveries[start..<min(start + DispatchMessage.maximumDeliveries, deliveries.count)]
        messages.append(whole.keeping(Array(part), attempt: 0, failingSince: nil, recheck: !isNew))
      }
    }
    return messages
  }

  /// One realtime message per shard that has recipients.
  func realtime(_ routed: [RoutedNotification]) -> [(shard: Shard, message: RealtimeMessage)] {
    var events: [Shard: [RealtimeMessage.Event]] = [:]
    for item in routed where item.isSent(on: .inApp) {
      events[Shard.of(item.userID), default: []].append(
        RealtimeMessage.Event(
          kind: .notification,
          userId: item.userID,
          notificationId: item.id,
          content: item.content,
          seq: item.seq,
          unread: item.unread
        )
      )
    }
    return events.map { ($0, RealtimeMessage(contents: contents, events: $1).compacted) }
  }
}

extension RealtimeMessage {
  /// The same events without the contents that none of them points at.
  fileprivate var compacted: RealtimeMessage {
    var kept: [Int: Int] = [:]
    var contents: [NotificationContent] = []
    let events = events.map { event in
      guard let content = event.content else { return event }
      var event = event
      let index = kept[content] ?? contents.count
      if index == contents.count {
        kept[content] = index
        contents.append(self.contents[content])
      }
      event.content = index
      return event
    }
    return RealtimeMessage(contents: contents, events: events)
  }
}
