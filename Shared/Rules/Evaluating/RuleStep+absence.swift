import Foundation
import BelfryJSON
import WallClock

/// Rules about people of whom nothing has been heard. They have no timers: a daily scan finds them by ``RuleState/day``.
extension RuleStep {
  /// Writes once a day and person, however much is heard.
  mutating func see(_ event: RuleEvent) throws(RuleRefusal) -> RuleOutcome {
    let day = settings.zone.localDate(at: event.occurredAt)
    guard state.day.map({ $0 < day }) ?? true else { return .unchanged }
    state.day = day
    return .noted(day)
  }

  mutating func miss(_ absence: RuleAbsence, today: LocalDate) throws(RuleRefusal) -> RuleOutcome {
    guard let day = state.day, day == absence.lastDay(before: today) else { return .notDue }
    let what = "absent:\(day)"
    // Who flies west has the same day twice.
    if let notified = state.notified(what) { return .alreadyNotified(what: what, at: notified.at) }
    let at = settings.zone.instant(of: today, at: absence.time)
    state.remember(what, at: at, limit: 1)
    var variables = rule.variables(of: .object([]))
    let user = settings.userID ?? key?.user.lowercased ?? ""
    variables.known = ["days": "\(absence.days)", "lastDay": "\(day)", "userId": user]
    return try notify(what, variables, at: at, user: key?.user)
  }

  static var absenceNames: Set<String> { ["days", "lastDay", "userId"] }
}
