/// So many of a type in a time; the rest waits until there is room, or is left out. The inbox has them all.
///
/// It is asked until a notification is let through, and then never again: what waits for another reason afterwards has its
/// place already.
struct ThrottleRule: DecisionRule {
  var name: String { "throttle" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let throttle = input.subject.type.throttle, channel.attention != .none else { return .pass }
    guard input.subject.type.quietHours != .pierce, Self.isAsked(input.state) else { return .pass }
    guard let use = input.state.throttle, use.count >= throttle.atMost, use.freesAt > input.subject.now else {
      return .pass
    }
    return switch throttle.then {
    case .hold: .hold(until: use.freesAt, .throttled)
    case .drop: .skip(.throttled)
    }
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let throttle = input.subject.type.throttle else { return "the type has no throttle" }
    let limit = "at most \(throttle.atMost) in \(spoken(seconds: throttle.per))"
    if input.subject.type.quietHours == .pierce { return "\(limit), which the type passes" }
    guard Self.isAsked(input.state), input.state.throttle?.isCounted != true else {
      return "\(limit), it is among them"
    }
    return "\(limit), \(input.state.throttle?.count ?? 0) before it, policy \(throttle.then.rawValue)"
  }

  /// Whether a notification was not let through yet.
  static func isAsked(_ state: DecisionState) -> Bool {
    if state.throttle?.isCounted == true { return false }
    return switch state.occasion {
    case .first: true
    case .due(let reason): !comesBefore(reason)
    }
  }

  /// Whether what waits for that reason was let through here.
  static func comesBefore(_ reason: HoldReason) -> Bool {
    reason == .quietHours || reason == .digest || reason == .unread
  }
}
