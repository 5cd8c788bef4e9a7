import WallClock

/// Who has on the screen what it is about needs no push; the inbox and mails keep it all the same.
struct ViewingRule: DecisionRule {
  var name: String { "viewing" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention == .now, !input.recipient.viewing.isEmpty, let entity = input.subject.entity,
      input.recipient.viewing.contains(entity)
    else { return .pass }
    return .skip(.viewing)
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let entity = input.subject.entity else { return "it is about nothing that can be on a screen" }
    let isViewed = input.recipient.viewing.contains(entity)
    return "the user \(isViewed ? "has" : "does not have") \(entity.type) \(entity.id) on the screen"
  }
}

/// What was read or deleted while it waited is not delivered any more. Only asked at re-evaluation.
struct SeenRule: DecisionRule {
  var name: String { "seen" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention != .none, input.state.occasion != .first else { return .pass }
    return switch input.state.inbox {
    case .unread: .pass
    case .read: .skip(.read)
    case .deleted: .skip(.deleted)
    }
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard input.state.occasion != .first else { return "it is new" }
    return switch input.state.inbox {
    case .unread: "it is still unread"
    case .read: SkipReason.read.words
    case .deleted: SkipReason.deleted.words
    }
  }
}

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
    case .defer, .compose: .hold(until: until, .paused)
    }
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let until = input.recipient.pausedUntil, until > input.subject.now else { return "the user made no pause" }
    let policy = input.subject.type.quietHours.rawValue
    return "the user paused notifications until \(input.spoken(until)), policy \(policy)"
  }
}

/// Within the recipient's quiet hours nothing makes a noise, unless the type pierces them.
///
/// The window is half-open: at its end it is over. Asked afresh at every look, for hours may have been changed.
struct QuietHoursRule: DecisionRule {
  var name: String { "quietHours" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention == .now, let hours = input.recipient.quietHours else { return .pass }
    let policy = input.subject.type.quietHours
    guard policy != .pierce, let window = hours.window(at: input.subject.now) else { return .pass }
    if policy == .drop { return .skip(.quietHours) }
    let until = input.subject.spread.end(of: window, hours: hours, user: input.recipient.id)
    return .hold(until: until, .quietHours)
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let hours = input.recipient.quietHours else { return "the user has no quiet hours" }
    let words = "quiet hours \(hours.start.spoken)-\(hours.end.spoken)"
    guard hours.window(at: input.subject.now) != nil else { return "\(words) \(hours.zone), not now" }
    return "\(words), policy \(input.subject.type.quietHours.rawValue)"
  }
}
