import Foundation

/// States by a key of the payload's: goals and categories come and go, and what was kept of each would stay for ever.
extension RuleStep {
  /// A key of which nothing was heard for so many days is one that was never heard of. An event that is reported again so late has
  /// the ids and times that it had then, so it brings nothing new.
  private static var daysKept: Double { 400 }
  /// So seldom a state is written for that alone.
  private static var daysBetween: Double { 30 }

  /// Notes that something was heard of the state's key. The conditions that know themselves how long they matter do so.
  mutating func keep(becauseOf event: RuleEvent) {
    guard rule.key != nil, state != RuleState() else { return }
    switch rule.condition {
    case .crosses, .reaches, .streak, .once(nil): break
    case .always, .atLeast, .once, .exceeds, .remind: return
    }
    let end = event.intake.addingTimeInterval(Self.daysKept * 86_400).bounded
    if let former = state.disposableFrom, end.timeIntervalSince(former) < Self.daysBetween * 86_400 { return }
    state.disposableFrom = end
  }
}
