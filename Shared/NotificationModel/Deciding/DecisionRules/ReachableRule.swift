/// Asks the channel whether there is a way to the recipient at all.
struct ReachableRule: DecisionRule {
  var name: String { "reachable" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    channel.routing.objection(to: input.recipient).map(Verdict.skip) ?? .pass
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    channel.routing.objection(to: input.recipient)?.words ?? "the user can be reached"
  }
}
