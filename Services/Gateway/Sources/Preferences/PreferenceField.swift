import JSON
import NotificationModel

/// The member that says whether a channel is wanted.
struct PreferenceField {
  let channel: Channel
  let name: String
  /// Whether each type in an update has it.
  let isRequired: Bool

  /// Those that every client knows. Their names are of the API, whatever the channels are called.
  private static let first = [
    PreferenceField(channel: .inApp, name: "inAppEnabled", isRequired: true),
    PreferenceField(channel: .push, name: "pushEnabled", isRequired: true),
    PreferenceField(channel: .email, name: "emailEnabled", isRequired: true),
  ]

  /// Later channels are not known to every client: what it leaves out stays as it is.
  static let all =
    first
    + Channel.allCases.filter { channel in !first.contains { $0.channel == channel } }
    .map { PreferenceField(channel: $0, name: "\($0.name)Enabled", isRequired: false) }

  static func write(_ choices: ChannelChoices, to writer: inout JSONWriter) {
    for field in all {
      writer.dynamicKey(field.name)
      writer.bool(choices[field.channel] ?? false)
    }
  }

  /// The switches of an item; nil if one is missing that every client knows.
  ///
  /// - Parameter isWhole: Whether any may be missing.
  static func read(_ item: FieldReader, isWhole: Bool) -> ChannelChoices? {
    var choices = ChannelChoices()
    var isComplete = true
    for field in all {
      let (isRequired, expected) = (isWhole && field.isRequired, "true or false")
      let value =
        isRequired
        ? item.required(field.name, Bool.self, expected: expected)
        : item.optional(field.name, Bool.self, expected: expected)
      choices[field.channel] = value
      if isRequired, value == nil { isComplete = false }
    }
    return isComplete ? choices : nil
  }
}
