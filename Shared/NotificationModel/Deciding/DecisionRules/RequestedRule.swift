/// The request narrows the channels, and never widens what the recipient wants.
struct RequestedRule: DecisionRule {
  var name: String { "requested" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let requested = input.subject.requested, !requested.contains(channel.channel) else { return .pass }
    return .skip(.channelNotRequested)
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let requested = input.subject.requested else { return "the request is for all channels" }
    guard !requested.isEmpty else { return "the request is for no channel" }
    return "the request is for \(requested.sorted().map(\.label).joined(separator: ", ")) only"
  }
}
