import Foundation

/// Who switched notifications off hears nothing, the inbox included.
struct MasterSwitchRule: DecisionRule {
  var name: String { "masterSwitch" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    input.recipient.isEnabled ? .pass : .skip(.notificationsOff)
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    input.recipient.isEnabled ? "the user's notifications are on" : SkipReason.notificationsOff.words
  }
}

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
  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
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

/// What is about something that the recipient muted, a conversation or a goal, is found in the inbox alone.
struct MutedRule: DecisionRule {
  var name: String { "muted" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention != .none, !input.recipient.mutes.isEmpty, let entity = input.subject.entity,
      let until = input.recipient.mutes[entity], until > input.subject.now
    else { return .pass }
    return .skip(.muted)
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let entity = input.subject.entity else { return "it is about nothing that can be muted" }
    let name = "\(entity.type) \(entity.id)"
    guard let until = input.recipient.mutes[entity] else { return "the user did not mute \(name)" }
    if until == .distantFuture { return "the user muted \(name)" }
    let verb = until > input.subject.now ? "muted" : "had muted"
    return "the user \(verb) \(name) until \(input.spoken(until))"
  }
}

/// Asks the channel whether there is a way to the recipient at all. Who complained gets nothing any more that may be unsubscribed.
struct ReachableRule: DecisionRule {
  var name: String { "reachable" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    objection(on: input, over: channel).map(Verdict.skip) ?? .pass
  }

  private func objection(on input: DecisionInput, over channel: ChannelTraits) -> SkipReason? {
    if let objection = channel.routing.objection(to: input.recipient) { return objection }
    let mayUnsubscribe = input.subject.type.mail.mayUnsubscribe
    return mayUnsubscribe && input.recipient.addresses[channel.channel]?.suppression != nil ? .emailSuppressed : nil
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    if let objection = objection(on: input, over: channel) {
      let suppression = objection == .emailSuppressed ? input.recipient.addresses[channel.channel]?.suppression : nil
      return suppression?.words(in: input.zone, seenFrom: input.subject.now) ?? objection.words
    }
    return "the user can be reached" + (channel.routing.reach(of: input.recipient).map { ": \($0)" } ?? "")
  }
}
