import BelfryJSON
import NotificationModel
import Postgres

/// `users.addresses`: those beside the mail address, which has columns of its own, by the channels' names.
extension PerChannel<ChannelAddress> {
  /// Channels of another version are passed over.
  mutating func take(_ stored: PostgresJSON, _ channels: [any RoutingChannel]) {
    guard let json = try? JSONParser.parse(Array(stored.text.utf8)) else { return }
    for routing in channels where routing.channel != .email {
      guard let entry = json[routing.name], let text = entry["address"]?.string else { continue }
      self[routing.channel] = ChannelAddress(text, isSuppressed: entry["suppressed"]?.boolean ?? false)
    }
  }
}

extension PerChannel<String> {
  /// As the column has them, all usable; nil if there is none.
  func further(_ channels: [any RoutingChannel]) -> PostgresJSON? {
    let members = entries.filter { $0.channel != .email }.map { entry in
      JSONMember(entry.channel.name(among: channels), JSONValue.object([JSONMember("address", entry.value)]))
    }
    return members.isEmpty ? nil : PostgresJSON(text: JSONWriter.text(.object(members)))
  }
}
