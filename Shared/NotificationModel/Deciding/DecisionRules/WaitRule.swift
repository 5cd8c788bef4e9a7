import Foundation

/// A channel that is used only if the notification is still unread after some time.
struct WaitRule: DecisionRule {
  var name: String { "wait" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention != .none, let until = Self.end(input, channel), until > input.subject.now else {
      return .pass
    }
    return .hold(until: until, .unread)
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let wait = input.subject.type.waits[channel.channel] else { return "the type does not wait here" }
    return "only if it is still unread after \(spoken(seconds: wait))"
  }

  private static func end(_ input: DecisionInput, _ channel: ChannelTraits) -> Date? {
    input.subject.type.waits[channel.channel].map { input.subject.createdAt + Double($0) }
  }
}
