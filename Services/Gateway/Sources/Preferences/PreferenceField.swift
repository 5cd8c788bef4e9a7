import BelfryJSON
import NotificationModel

/// The member that says whether a channel is wanted.
struct PreferenceField {
  let channel: Channel
  let name: String

  /// Those that every client knows. Their names are of the API, whatever the channels are called.
  static let first = [
    PreferenceField(channel: .inApp, name: "inAppEnabled"),
    PreferenceField(channel: .push, name: "pushEnabled"),
    PreferenceField(channel: .email, name: "emailEnabled"),
  ]

  /// One for each channel.
  static func all(_ channels: [any RoutingChannel]) -> [PreferenceField] {
    first
      + channels.filter { routing in !first.contains { $0.channel == routing.channel } }
      .map { PreferenceField(channel: $0.channel, name: "\($0.name)Enabled") }
  }

  static func write(_ choices: ChannelChoices, _ fields: [PreferenceField], to writer: inout JSONWriter) {
    for field in fields {
      writer.dynamicKey(field.name)
      writer.bool(choices[field.channel] ?? false)
    }
  }

  /// The switches of an item. What it leaves out stays as it is.
  static func read(_ item: FieldReader) -> ChannelChoices {
    var choices = ChannelChoices()
    for field in all(item.routing) {
      choices[field.channel] = item.optional(field.name, Bool.self, expected: "true or false")
    }
    return choices
  }
}
