/// A pause is quiet hours that the recipient begins by hand: the same channels, and the type's policy.
struct PauseRule: DecisionRule {
  var name: String { "pause" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention == .now, let until = input.recipient.pausedUntil, until > input.subject.now else {
      return .pass
    }
    return switch input.subject.type.quietHours {
    case .pierce: .pass
    case .drop: .skip(.paused)
    case .defer, .digest: .hold(until: until, .paused)
    }
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let until = input.recipient.pausedUntil, until > input.subject.now else { return "the user made no pause" }
    let policy = input.subject.type.quietHours.rawValue
    return "the user paused notifications until \(input.spoken(until)), policy \(policy)"
  }
}
