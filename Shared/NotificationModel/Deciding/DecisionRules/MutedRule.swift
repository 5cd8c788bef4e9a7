import Foundation

/// What is about something that the recipient muted, a conversation or a goal, is found in the inbox alone.
struct MutedRule: DecisionRule {
  var name: String { "muted" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention != .none, !input.recipient.mutes.isEmpty, let entity = input.subject.entity,
      let until = input.recipient.mutes[entity], until > input.subject.now
    else { return .pass }
    return .skip(.muted)
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let entity = input.subject.entity else { return "it is about nothing that can be muted" }
    let name = "\(entity.type) \(entity.id)"
    guard let until = input.recipient.mutes[entity] else { return "the user did not mute \(name)" }
    if until == .distantFuture { return "the user muted \(name)" }
    let verb = until > input.subject.now ? "muted" : "had muted"
    return "the user \(verb) \(name) until \(input.spoken(until))"
  }
}
