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
      for queue in WorkQueue.queues(of: routing) {
        let parts = self.dispatches(routed, over: routing, by: queue.carrier, in: queue.stream)
        dispatches.messages += parts.messages.map { (queue: queue, message: $0) }
        dispatches.outcomes += parts.tooLarge.flatMap { refusals(of: $0, over: routing.channel) }
      }
    }
    return dispatches
  }

  /// The messages of one channel, or of one provider behind it, or of one of its streams.
  ///
  /// Those that an earlier attempt may have sent go apart, marked for a recheck: dispatchers look up first what has an outcome.
  func dispatches(
    _ routed: [RoutedNotification],
    over routing: some RoutingChannel,
    by carrier: DevicePlatform.Carrier? = nil,
    in stream: MailStream? = nil
  ) -> DispatchMessage.Parts {
    var parts = DispatchMessage.Parts()
    let channel = routing.channel
    for mustRecheck in [false, true] {
      var deliveries: [DispatchMessage.Delivery] = []
      // By index: a notification has its recipient with it, and to copy one counts a dozen references.
      for index in routed.indices where routed[index].mustRecheck == mustRecheck && routed[index].isSent(on: channel) {
        if let stream, contents[routed[index].content].mail.stream != stream { continue }
        var targets = routing.targets(of: routed[index].recipient)
        if let carrier { targets.removeAll { $0.carrier != carrier } }
        guard !targets.isEmpty else { continue }
        deliveries.append(
          DispatchMessage.Delivery(
            notificationId: routed[index].id,
            userId: routed[index].userID,
            content: routed[index].content,
            badge: routed[index].unread,
            hasSound: routed[index].recipient.isSoundEnabled,
            hasBadge: routed[index].recipient.isBadgeEnabled,
            targets: targets
          )
        )
      }
      let added = DispatchMessage.split(deliveries, of: contents, recheck: mustRecheck)
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
        type: contents[delivery.content].type,
        createdAt: contents[delivery.content].createdAt
      )
    }
  }

  /// One realtime message per shard that has recipients.
  func realtime(_ routed: [RoutedNotification]) -> [(shard: Shard, message: RealtimeMessage)] {
    var events: [Shard: [RealtimeMessage.Event]] = [:]
    for index in routed.indices where routed[index].isSent(on: .inApp) {
      events[Shard.of(routed[index].userID), default: []].append(
        RealtimeMessage.Event(
          .notification(routed[index].id, seq: routed[index].seq, content: routed[index].content),
          userId: routed[index].userID,
          unread: routed[index].unread
        )
      )
    }
    return events.map { ($0, RealtimeMessage(events: $1, of: contents)) }
  }
}
