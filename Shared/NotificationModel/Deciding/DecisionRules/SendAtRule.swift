/// Before the time that its sender set, a notification is nowhere; the inbox included.
struct SendAtRule: DecisionRule {
  var name: String { "sendAt" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let sendAt = input.subject.sendAt, sendAt > input.subject.now else { return .pass }
    return .hold(until: sendAt, .sendAt)
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let sendAt = input.subject.sendAt else { return "the sender set no time" }
    return "the sender set a time, \(input.spoken(sendAt))"
  }
}
