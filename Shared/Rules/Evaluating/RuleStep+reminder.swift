import Foundation
import BelfryJSON
import WallClock

/// Rules that remind of a date or an instant which the latest event announces.
extension RuleStep {
  /// Long after all that could be sent of it again.
  private static var daysKept: Int { 400 }

  mutating func remind(
    _ reminder: RuleReminder,
    _ event: RuleEvent,
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> RuleOutcome {
    guard let value = reminder.member.value(in: event.payload) else {
      // Null takes it back. An event that does not speak of it leaves it: many only say what changed.
      return reminder.member.isNull(in: event.payload)
        ? forgetReminders(event) : .nothingToCompare("\(reminder.member)")
    }
    try checkNotices(variables, knowing: reminder.knownNames)
    switch reminder {
    case .days(let path, let time, let offsets, _):
      let due = try RuleReminder.date(value, path)
      guard state.isOutdated(by: event) else { return .outdated(latest: state.latest?.at ?? event.occurredAt) }
      state.kept = try kept(of: event.payload)
      // What lies before the announcement was never to come; of a date that stays, nothing that waits is lost.
      if state.due != due || state.since == nil { state.since = event.intake }
      state.due = due
      state.follow(event)
      state.disposableFrom = settings.zone.instant(of: due.adding(days: Self.daysKept), at: .midnight)
      return setDateTimer(time: time, offsets: offsets)
    case .instant(let path, let before):
      let instant = try RuleReminder.instant(value, path)
      let elapsed = try before?.elapsed(variables)
      guard state.isOutdated(by: event) else { return .outdated(latest: state.latest?.at ?? event.occurredAt) }
      state.kept = try kept(of: event.payload)
      state.follow(event)
      return setInstantTimer(instant, before: elapsed, intake: event.intake)
    }
  }

  /// Takes back what was to come, unless a later event says otherwise.
  mutating func forgetReminders(_ event: RuleEvent) -> RuleOutcome {
    guard state.isOutdated(by: event) else { return .outdated(latest: state.latest?.at ?? event.occurredAt) }
    state.follow(event)
    (state.due, state.instant, state.since, state.kept) = (nil, nil, nil, nil)
    state.disposableFrom = event.intake.addingTimeInterval(Double(Self.daysKept) * 86_400).bounded
    setTimer(nil)
    return .cancelled
  }

  // MARK: Dates

  /// The next reminder of the date that has not been sent.
  mutating func setDateTimer(time: LocalTime, offsets: [DayOffset]) -> RuleOutcome {
    guard let due = state.due, let since = state.since else { return .unchanged }
    let next =
      offsets
      .map { RuleTimer(what: RuleReminder.what(due, $0), at: settings.zone.instant(of: due + $0, at: time)) }
      .first { $0.at > since && state.notified($0.what) == nil }
    setTimer(next)
    return next.map { .scheduled(what: $0.what, at: $0.at) } ?? .nothingAhead
  }

  /// Of several that are due, which happens after a standstill, the last is sent if it is not too late for it.
  mutating func remindOfDate(
    time: LocalTime,
    offsets: [DayOffset],
    lateness: ElapsedTime,
    now: Date
  ) throws(RuleRefusal) -> RuleOutcome {
    guard let due = state.due, let since = state.since else { return .notDue }
    let ripe = offsets.filter { offset in
      let at = settings.zone.instant(of: due + offset, at: time)
      return at > since && at <= now && state.notified(RuleReminder.what(due, offset)) == nil
    }
    guard let last = ripe.last else {
      _ = setDateTimer(time: time, offsets: offsets)
      return .notDue
    }
    let at = settings.zone.instant(of: due + last, at: time)
    for offset in ripe { state.remember(RuleReminder.what(due, offset), at: at) }
    state.since = at
    _ = setDateTimer(time: time, offsets: offsets)
    let what = RuleReminder.what(due, last)
    guard now.timeIntervalSince(at) <= Double(lateness.seconds) else { return .tooLate(what: what, due: at) }
    var variables = keptVariables
    variables.known = ["days": "\(-last.days)", "due": "\(due)", "date": "\(due + last)"]
    return try notify(what, selector: last.description, variables, at: at, user: key?.user)
  }

  // MARK: Instants

  /// - Parameter before: Nil for the instant itself, which is sent even if it has passed.
  private mutating func setInstantTimer(_ instant: Date, before: ElapsedTime?, intake: Date) -> RuleOutcome {
    let timer = RuleTimer(
      what: "at:\(instant.milliseconds)",
      at: instant.addingTimeInterval(-Double(before?.seconds ?? 0)).bounded
    )
    state.instant = instant
    state.disposableFrom = instant.addingTimeInterval(Double(Self.daysKept) * 86_400).bounded
    if let notified = state.notified(timer.what) {
      setTimer(nil)
      return .alreadyNotified(what: timer.what, at: notified.at)
    }
    // One that waits already is not lost where it is announced again.
    guard before == nil || timer.at > intake || timer == state.timer else {
      setTimer(nil)
      return .nothingAhead
    }
    setTimer(timer)
    return .scheduled(what: timer.what, at: timer.at)
  }

  /// That something has come to pass is sent however late; a reminder of what is to come only as long as it is.
  mutating func remindOfInstant(isBefore: Bool, now: Date) throws(RuleRefusal) -> RuleOutcome {
    guard let timer = state.timer, let instant = state.instant, let latest = state.latest, timer.at <= now else {
      return .notDue
    }
    let time = max(timer.at, latest.intake)
    state.remember(timer.what, at: time, limit: RuleReminder.maximumOffsets)
    setTimer(nil)
    guard !isBefore || now < instant else { return .tooLate(what: timer.what, due: timer.at) }
    return try notify(timer.what, keptVariables, at: time, user: key?.user)
  }
}
