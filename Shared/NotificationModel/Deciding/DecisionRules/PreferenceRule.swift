/// The recipient's choice for the type, else for its category, else the catalogue's.
struct PreferenceRule: DecisionRule {
  var name: String { "preference" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    let channel = channel.channel
    let isWanted =
      input.recipient.typeChoices[channel] ?? input.recipient.categoryChoices[channel]
      ?? input.subject.type.channels[channel] ?? false
    return isWanted ? .pass : .skip(.preferenceOff)
  }

  /// Says which of the three decided.
  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    let type = input.subject.type
    let (channel, label) = (channel.channel, channel.routing.label)
    if let choice = input.recipient.typeChoices[channel] {
      return "the user's choice for the type \(type.name) is \(label) \(choice ? "on" : "off")"
    }
    if let choice = input.recipient.categoryChoices[channel] {
      return "the user's choice for the category \(type.category) is \(label) \(choice ? "on" : "off")"
    }
    return "the catalogue's default for \(type.name) is \(label) \(type.channels[channel] == true ? "on" : "off")"
  }
}
