import ConsoleCommands

/// What the gateway answers of one notification, as far as it is shown.
struct HistoryAnswer: Decodable {
  struct Line: Decodable {
    var words: String
    var deliveries: [Delivery]
  }

  struct Delivery: Decodable {
    var target: String
    var words: String
  }

  var id: String
  var type: Int
  var typeName: String?
  /// When it was created, by the recipient's clocks.
  var localTime: String
  var channels: [Line]

  var lines: [String] {
    var lines = [
      "\(typeName ?? "a type that the catalogue has no longer") (\(type)) of \(localTime), notification \(id):"
    ]
    for channel in channels {
      lines.append("  \(channel.words)")
      lines += channel.deliveries.map { "    \($0.target): \($0.words)" }
    }
    return lines
  }
}

/// Several, the newest first.
struct HistoriesAnswer: Decodable {
  var notifications: [HistoryAnswer]
  var hasMore: Bool

  func lines(user: String) -> [String] {
    guard let last = notifications.last else {
      let command = CallerOptions.current.gateway("belfry explain send \(CallerOptions.quoted(user)) TYPE")
      return ["\(user) has no notifications, or has them no longer. `\(command)` tells what would come."]
    }
    return notifications.flatMap(\.lines) + (hasMore ? ["There are more: --before \(last.id)"] : [])
  }
}
