import NotificationModel
import Postgres

/// One channel of a notification to be stored that has to wait.
struct WaitingChannel {
  var notification: NewNotification
  var channel: Channel

  static func all(of notification: NewNotification) -> [WaitingChannel] {
    guard notification.plan.entries.contains(where: { $0.value.heldUntil != nil }) else { return [] }
    return notification.plan.entries.compactMap { entry in
      guard entry.value.heldUntil != nil, entry.channel != .inApp else { return nil }
      return WaitingChannel(notification: notification, channel: entry.channel)
    }
  }
}

extension NotificationStore {
  /// Puts what waits into `held`, by what is stored of it.
  static func hold(_ waiting: [WaitingChannel], _ contents: [NotificationContent]) -> SQLQuery {
    let items = waiting.map(\.notification)
    return holding.query { query in
      query.bind("user_ids", items.map(\.userID))
      query.bind("ids", items.map(\.id))
      query.bind("channels", waiting.map { Int16(clamping: $0.channel.rawValue) })
      query.bind("types", items.map { Int16(clamping: contents[$0.content].type) })
      query.bind("digest_keys", items.map(\.waiting?.digest))
      query.bind("throttle_keys", items.map(\.waiting?.throttle))
      query.bind("collapse_keys", items.map { contents[$0.content].collapseKey })
      query.bind("decided_at", items.map(\.waiting?.decidedAt))
      query.bind("settings_revisions", items.map { Int64($0.waiting?.settingsRevision ?? 0) })
    }
  }

  private static let holding = SQLStatement.embedded(
    "hold",
    constants: [
      "code": DecisionColumns.code(on: "i.channel", of: "d"), "digest": "\(HoldReason.digest.rawValue)",
    ]
  )
}
