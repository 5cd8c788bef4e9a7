import WallClock

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

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let hours = input.recipient.quietHours else { return "the user has no quiet hours" }
    let words = "quiet hours \(hours.start.spoken)-\(hours.end.spoken)"
    guard hours.window(at: input.subject.now) != nil else { return "\(words) \(hours.zone), not now" }
    return "\(words), policy \(input.subject.type.quietHours.rawValue)"
  }
}
