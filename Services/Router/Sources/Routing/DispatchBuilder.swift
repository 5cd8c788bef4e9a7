import NotificationModel
import NotificationQueue
import NotificationStore

/// Gathers what routing decided into messages for the dispatchers. Pure.
struct DispatchBuilder {
  let contents: [NotificationContent]
  var channels = Channel.routing

  /// What dispatchers are handed.
  struct Dispatches {
    var messages: [(queue: WorkQueue, message: DispatchMessage)] = []
    /// Outcomes of what no message has room for.
    var outcomes: [DeliveryStore.Record] = []
  }

  /// What the reason of an outcome says where a delivery is larger than a message may be.
  static let messageTooLarge = "messageTooLarge"

  /// The messages of every channel that has a queue.
  func dispatches(_ routed: [RoutedNotification]) -> Dispatches {
    var dispatches = Dispatches()
    for routing in channels where routing.hasQueue {
      let parts = self.dispatches(routed, over: routing)
      dispatches.messages += parts.messages.map { (queue: WorkQueue(routing), message: $0) }
      dispatches.outcomes += parts.tooLarge.flatMap { refusals(of: $0, over: routing.channel) }
    }
    return dispatches
  }

  /// Those that an earlier attempt may have sent go apart, marked for a recheck: dispatchers look up first what has an outcome.
  func dispatches(_ routed: [RoutedNotification], over routing: some RoutingChannel) -> DispatchMessage.Parts {
    var parts = DispatchMessage.Parts()
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
      let added = DispatchMessage.split(deliveries, of: contents, recheck: !isNew)
      parts.messages += added.messages
      parts.tooLarge += added.tooLarge
    }
    return parts
  }

  private func refusals(of delivery: DispatchMessage.Delivery, over channel: Channel) -> [DeliveryStore.Record] {
    delivery.targets.map { target in
      DeliveryStore.Record(
        userID: delivery.userId,
        notificationID: delivery.notificationId,
        channel: channel,
        target: target.id,
        outcome: .rejected,
        reason: Self.messageTooLarge,
        attempts: 0,
        type: contents[delivery.content].type
      )
    }
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
