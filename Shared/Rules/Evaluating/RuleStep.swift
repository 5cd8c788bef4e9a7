import Foundation
import BelfryJSON
import WallClock

/// One evaluation in progress: the state as it becomes, and the effects so far.
struct RuleStep {
  let rule: Rule
  let key: RuleStateKey?
  let settings: RuleSettings
  var state: RuleState
  var effects: [RuleEffect] = []

  mutating func take(_ input: RuleInput) throws(RuleRefusal) -> RuleOutcome {
    switch (input, rule.trigger) {
    case (.event(let event), _):
      guard event.name.lowercased() == rule.event.lowercased() else { return .otherEvent(rule.event) }
      return try evaluate(event)
    case (.absent(let today), .absence(let absence)): return try miss(absence, today: today)
    case (.absent, .event): return .notDue
    case (.due(let now), _): return try comeDue(now: now)
    case (.settingsChanged, _): return try followSettings()
    }
  }

  private mutating func evaluate(_ event: RuleEvent) throws(RuleRefusal) -> RuleOutcome {
    let variables = rule.variables(of: event.payload)
    if case .absence = rule.trigger { return try see(event) }
    var exception: PayloadPath?
    for path in rule.unless {
      if try variables.isTrue(path) {
        exception = path
        break
      }
    }
    if let exception {
      if case .remind = rule.condition { return forgetReminders(event) }
      return .unless(exception)
    }
    let outcome = try meet(event, variables)
    keep(becauseOf: event)
    return outcome
  }

  private mutating func meet(_ event: RuleEvent, _ variables: RuleVariables) throws(RuleRefusal) -> RuleOutcome {
    switch rule.condition {
    case .always: return try notify("event:\(event.id)", variables, at: event.intake, user: rule.user(of: event))
    case .atLeast(let path, let bound): return try size(path, bound, event, variables)
    case .crosses(let crossing): return try cross(crossing, event, variables)
    case .reaches(let path, let values): return try reach(path, values, event, variables)
    case .streak(let values): return try keepOn(values, event, variables)
    case .once: return try once(event, variables)
    case .exceeds(let path, let bound, _): return try exceed(path, bound, event, variables)
    case .remind(let reminder): return try remind(reminder, event, variables)
    }
  }

  private mutating func comeDue(now: Date) throws(RuleRefusal) -> RuleOutcome {
    switch rule.condition {
    case .exceeds(_, let bound, _): try endPeriod(bound, now: now)
    case .remind(.days(_, let time, let offsets, let lateness)):
      try remindOfDate(time: time, offsets: offsets, lateness: lateness, now: now)
    case .remind(.instant(_, let before)): try remindOfInstant(isBefore: before != nil, now: now)
    case .always, .atLeast, .crosses, .reaches, .streak, .once: .notDue
    }
  }

  private mutating func followSettings() throws(RuleRefusal) -> RuleOutcome {
    switch rule.condition {
    case .exceeds(_, let bound, _): try setPeriodTimer(bound)
    case .remind(.days(_, let time, let offsets, _)): setDateTimer(time: time, offsets: offsets)
    case .remind(.instant), .always, .atLeast, .crosses, .reaches, .streak, .once: .unchanged
    }
  }

  // MARK: Notifying

  /// Adds the notices of what was reached; the caller remembers it in the state.
  ///
  /// - Parameter selector: Which of the rule's notices, where it has several.
  mutating func notify(
    _ what: String,
    selector: String? = nil,
    _ variables: RuleVariables,
    at: Date,
    user: UUID?
  ) throws(RuleRefusal) -> RuleOutcome {
    var count = 0
    for plan in rule.notices.plans(for: selector) {
      let id = EffectID(rule: rule.name, user: user, key: key?.key ?? "", what: what, notice: plan.label)
      if let notice = try plan.notice(variables, user: user, inherited: rule.data, id: id, at: at) {
        effects.append(.notify(notice))
        count += 1
      }
    }
    return count == 0 ? .nobody(what: what) : .notified(what: what, notices: count)
  }

  /// Refuses an event whose notice could not be sent, before anything depends on it.
  ///
  /// - Parameter names: What the engine will know by then.
  func checkNotices(_ variables: RuleVariables, knowing names: Set<String> = []) throws(RuleRefusal) {
    var variables = variables
    for name in names { variables.known[name] = "0" }
    let id = EffectID(rule: rule.name, user: key?.user, key: "", what: "", notice: "")
    for plan in rule.notices.all {
      _ = try plan.notice(
        variables,
        user: key?.user,
        inherited: rule.data,
        id: id,
        at: Date(timeIntervalSince1970: 0)
      )
    }
  }

  // MARK: The timer

  /// Makes this the state's one timer, nil for none, and says so if it is another.
  mutating func setTimer(_ timer: RuleTimer?) {
    guard timer != state.timer, let key else { return }
    state.timer = timer
    effects.append(timer.map { .schedule($0, key) } ?? .cancel(key))
  }

  // MARK: What is kept of the payload

  /// The members that the rule's notices are made of.
  func kept(of payload: JSONValue) throws(RuleRefusal) -> String {
    let needs = rule.neededMembers
    let members = (payload.members ?? []).filter { member in
      needs.names.contains(member.name) || needs.allPlain && RuleVariables.scalar(member.value) != nil
    }
    let kept = JSONWriter.text(.object(members))
    let size = kept.utf8.count
    guard size <= RuleState.maximumKept else {
      throw RuleRefusal("payload", "has \(size) bytes to be kept; at most \(RuleState.maximumKept) are allowed")
    }
    return kept
  }

  var keptVariables: RuleVariables {
    // Written by this module: it can be read.
    rule.variables(of: state.kept.flatMap { try? JSONParser.parse(Array($0.utf8)) } ?? .object([]))
  }
}

extension Rule {
  /// What a notice that is sent later needs of the payload: these members, and all the plain ones where a notice takes
  /// whatever there is.
  var neededMembers: (names: Set<String>, allPlain: Bool) {
    var names: Set<String> = []
    for template in notices.all.flatMap(\.templates) + (data ?? [:]).values {
      names.formUnion(template.paths.map(\.root))
    }
    for operand in lets.values.flatMap(\.operands) {
      if case .member(let path) = operand { names.insert(path.root) }
    }
    return (names, notices.all.contains { $0.data == nil } && data == nil)
  }
}
