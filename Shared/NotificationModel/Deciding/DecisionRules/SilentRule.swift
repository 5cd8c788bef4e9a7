/// What is imported as history goes to the inbox and disturbs nobody.
struct SilentRule: DecisionRule {
  var name: String { "silent" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    input.subject.isSilent && channel.attention != .none ? .skip(.channelNotRequested) : .pass
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    input.subject.isSilent ? "the request is silent, for the inbox only" : "the request is not silent"
  }
}
