import Foundation
import WallClock

/// Rules that decide at the end of a person's day, week or month. Each period has a state of its own.
extension RuleStep {
  mutating func exceed(
    _ path: PayloadPath,
    _ bound: RuleBound,
    _ event: RuleEvent,
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> RuleOutcome {
    guard let value = try variables.number(path) else { return .nothingToCompare(path.description) }
    guard let limit = try bound.number(variables, settings) else { return .nothingToCompare(bound.description) }
    try checkNotices(variables)
    guard let period = try rule.period(of: event, zone: settings.zone) else { return .unchanged }
    if let notified = state.notified("end") { return .alreadyNotified(what: "end", at: notified.at) }
    guard state.isOutdated(by: event) else { return .outdated(latest: state.latest?.at ?? event.occurredAt) }
    state.follow(event, value: value, bound: limit)
    state.kept = try kept(of: event.payload)
    state.endOn(period.end, settings.zone)
    return try setPeriodTimer(bound)
  }

  /// A timer only where the latest value is over: most people's never is.
  mutating func setPeriodTimer(_ bound: RuleBound) throws(RuleRefusal) -> RuleOutcome {
    guard let end = state.due, let latest = state.latest, let value = latest.value else { return .unchanged }
    guard state.notified("end") == nil, let limit = try limit(bound) else { return .unchanged }
    guard value > limit else {
      setTimer(nil)
      return .notExceeded(value, bound: limit)
    }
    let timer = RuleTimer(what: "end:\(end)", at: settings.zone.instant(of: end.adding(days: 1), at: .midnight))
    setTimer(timer)
    return .scheduled(what: timer.what, at: timer.at)
  }

  mutating func endPeriod(_ bound: RuleBound, now: Date) throws(RuleRefusal) -> RuleOutcome {
    let outcome = try setPeriodTimer(bound)
    guard let timer = state.timer, let latest = state.latest, timer.at <= now else {
      if case .scheduled = outcome { return .notDue }
      return outcome
    }
    // News of a period that has ended are sent as of their intake: the period's own end may be long ago.
    let time = max(timer.at, latest.intake)
    state.remember("end", at: time)
    setTimer(nil)
    // Notified once, so nothing of it is needed any more.
    defer { state.kept = nil }
    return try notify("end", keptVariables, at: time, user: key?.user)
  }

  private func limit(_ bound: RuleBound) throws(RuleRefusal) -> ExactNumber? {
    if case .setting(let name, _) = bound { settings.numbers[name] } else { state.latest?.bound }
  }
}

extension RuleState {
  /// Long enough for everything that is reported again or late.
  private static var daysKept: Int { 40 }

  mutating func endOn(_ end: LocalDate, _ zone: Zone) {
    due = end
    disposableFrom = zone.instant(of: end.adding(days: Self.daysKept), at: .midnight)
  }
}
