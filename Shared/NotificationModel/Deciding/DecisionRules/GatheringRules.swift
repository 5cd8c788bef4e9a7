import Foundation

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

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
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

/// The first notification of a digest opens a window and waits in it with those that follow.
///
/// At re-evaluation, what waited in a window is delivered. What waited for anything else was gathered already: it opens no new
/// window, but joins one that is open, for two pushes in a row would be no digest. What waited for the time that its sender
/// set is as new.
struct DigestRule: DecisionRule {
  var name: String { "digest" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let digest = input.subject.type.digest, digest.channel == channel.channel else { return .pass }
    let open = input.state.digest.flatMap { $0.until > input.subject.now ? $0.until : nil }
    switch input.state.occasion {
    case .first, .due(.sendAt): return .hold(until: open ?? input.subject.now + Double(digest.every), .digest)
    case .due(.digest): return .pass
    case .due: return open.map { .hold(until: $0, .digest) } ?? .pass
    }
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let digest = input.subject.type.digest, digest.channel == channel.channel else {
      return "the type has no digest here"
    }
    let words = "delivered together with others of \(spoken(seconds: digest.every))"
    switch input.state.occasion {
    case .first, .due(.sendAt): return words
    case .due(let reason): return "\(words), held before: \(reason.words)"
    }
  }
}

/// A channel that is used only if the notification is still unread after some time.
struct WaitRule: DecisionRule {
  var name: String { "wait" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention != .none, let until = Self.end(input, channel), until > input.subject.now else {
      return .pass
    }
    return .hold(until: until, .unread)
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let wait = input.subject.type.waits[channel.channel] else { return "the type does not wait here" }
    return "only if it is still unread after \(spoken(seconds: wait))"
  }

  private static func end(_ input: DecisionInput, _ channel: ChannelTraits) -> Date? {
    input.subject.type.waits[channel.channel].map { input.subject.createdAt + Double($0) }
  }
}
