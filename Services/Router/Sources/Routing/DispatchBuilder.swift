import NotificationModel
import NotificationQueue
import NotificationStore

/// Gathers what routing decided into messages for the dispatchers. Pure.
struct DispatchBuilder {
  /// A notification that is stored, with all that its messages need.
  struct Routed {
    var notification: NewNotification
    var stored: StoredNotification
    var recipient: Recipient
  }

  let contents: [NotificationContent]

  /// Push or email messages of up to 100 deliveries; those that may have been sent before go apart, marked for a recheck.
  func dispatches(_ routed: [Routed], to queue: WorkQueue) -> [DispatchMessage] {
    var messages: [DispatchMessage] = []
    for isNew in [true, false] {
      let deliveries = routed.compactMap { item -> DispatchMessage.Delivery? in
        guard item.stored.isNew == isNew else { return nil }
        let targets = targets(of: item, queue)
        guard !targets.isEmpty else { return nil }
        return DispatchMessage.Delivery(
          notificationId: item.notification.id,
          userId: item.notification.userID,
          content: item.notification.content,
          badge: item.stored.unread,
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
  func realtime(_ routed: [Routed]) -> [(shard: Shard, message: RealtimeMessage)] {
    var events: [Shard: [RealtimeMessage.Event]] = [:]
    for item in routed where item.notification.decision.inApp == .deliver {
      events[Shard.of(item.notification.userID), default: []].append(
        RealtimeMessage.Event(
          kind: .notification,
          userId: item.notification.userID,
          notificationId: item.notification.id,
          content: item.notification.content,
          seq: item.stored.seq,
          unread: item.stored.unread
        )
      )
    }
    return events.map { ($0, RealtimeMessage(contents: contents, events: $1).compacted) }
  }

  private func targets(of item: Routed, _ queue: WorkQueue) -> [DispatchMessage.Target] {
    switch queue {
    case .push:
      guard item.notification.decision.push == .deliver else { return [] }
      return item.recipient.devices.map {
        DispatchMessage.Target(id: $0.id.description, address: $0.token, platform: $0.platform.rawValue)
      }
    case .email:
      guard item.notification.decision.email == .deliver, let address = item.recipient.email else { return [] }
      return [DispatchMessage.Target(id: address, address: address, name: item.recipient.displayName)]
    }
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
