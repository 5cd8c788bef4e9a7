import Foundation
import WallClock

/// Rules that compare an event's value at once.
extension RuleStep {
  /// So many crossings are known by their event; one reported again after all these has the same id, and the time of its intake.
  private static var crossingsKept: Int { 16 }

  mutating func size(
    _ path: PayloadPath,
    _ bound: RuleBound,
    _ event: RuleEvent,
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> RuleOutcome {
    guard let value = try variables.number(path) else { return .nothingToCompare(path.description) }
    guard let limit = try bound.number(variables, settings) else { return .nothingToCompare(bound.description) }
    guard value >= limit else {
      try checkNotices(variables)
      return .notLargeEnough(value, bound: limit)
    }
    return try notify("event:\(event.id)", variables, at: event.intake, user: rule.user(of: event))
  }

  mutating func cross(
    _ crossing: RuleCrossing,
    _ event: RuleEvent,
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> RuleOutcome {
    guard let value = try variables.number(crossing.value) else { return .nothingToCompare("\(crossing.value)") }
    guard let bound = try crossing.bound.number(variables, settings) else {
      return .nothingToCompare(crossing.bound.description)
    }
    try checkNotices(variables)
    let reported = try crossing.previous.flatMap { path throws(RuleRefusal) in try variables.number(path) }
    let latest = state.latest
    let isLater = state.isOutdated(by: event)
    if isLater { state.follow(event, value: value) }
    let what = "event:\(event.id)"
    if let notified = state.notified(what) { return .alreadyNotified(what: what, at: notified.at) }
    // Without a previous value of its own, an older event has neighbours that nobody knows.
    guard let previous = reported ?? (isLater ? latest?.value : nil) else {
      return isLater ? .firstValue(value) : .outdated(latest: latest?.at ?? event.occurredAt)
    }
    guard crossing.isCrossed(from: previous, to: value, bound: bound) else {
      return .notCrossed(from: previous, to: value, bound: bound)
    }
    state.remember(what, at: event.intake, limit: Self.crossingsKept)
    return try notify(what, variables, at: event.intake, user: key?.user)
  }

  mutating func reach(
    _ path: PayloadPath,
    _ values: [ExactNumber],
    _ event: RuleEvent,
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> RuleOutcome {
    guard let value = try variables.number(path) else { return .nothingToCompare(path.description) }
    return try reach(value, values, naming: path.description, event, variables)
  }

  mutating func keepOn(
    _ values: [ExactNumber],
    _ event: RuleEvent,
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> RuleOutcome {
    try checkNotices(variables, knowing: ["streak"])
    let day = settings.zone.localDate(at: event.occurredAt)
    if state.days == nil {
      state.days = DayBitmap(day)
    } else if state.days?.insert(day) == .tooOld {
      return .tooOld(day)
    }
    guard let length = state.days.flatMap({ ExactNumber($0.run(around: day)) }) else { return .unchanged }
    return try reach(length, values, naming: "streak", event, variables)
  }

  mutating func once(_ event: RuleEvent, _ variables: RuleVariables) throws(RuleRefusal) -> RuleOutcome {
    if let notified = state.notified("once") {
      try checkNotices(variables)
      return .alreadyNotified(what: "once", at: notified.at)
    }
    if let period = try rule.period(of: event, zone: settings.zone) { state.endOn(period.end, settings.zone) }
    state.remember("once", at: event.intake)
    return try notify("once", variables, at: event.intake, user: key?.user)
  }

  /// Of the values that are reached, the highest is sent, once; those below it are then sent no more.
  private mutating func reach(
    _ value: ExactNumber,
    _ values: [ExactNumber],
    naming name: String,
    _ event: RuleEvent,
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> RuleOutcome {
    guard let reached = values.last(where: { $0 <= value }) else {
      try checkNotices(variables, knowing: [name])
      return .notReached(value, next: values[0])
    }
    let prefix = "reached:"
    let best = state.notified.compactMap { notified -> (value: ExactNumber, at: Date)? in
      guard notified.what.hasPrefix(prefix) else { return nil }
      return ExactNumber(String(notified.what.dropFirst(prefix.count))).map { ($0, notified.at) }
    }.max { $0.value < $1.value }
    if let best, best.value >= reached {
      try checkNotices(variables, knowing: [name])
      if best.value == reached { return .alreadyNotified(what: "\(prefix)\(reached)", at: best.at) }
      return .alreadyNotified(what: "\(prefix)\(best.value)", at: best.at)
    }
    var variables = variables
    // A jump from 20 to 80 says 75.
    variables.known[name] = reached.description
    let what = "\(prefix)\(reached)"
    state.remember(what, at: event.intake)
    return try notify(what, selector: reached.description, variables, at: event.intake, user: key?.user)
  }
}
