import Foundation
import Logging
import NotificationModel
import NotificationStore
import Rules

/// States whose timers are due, or whose people have changed their settings. Pure.
struct DueBatch {
  /// What could not be done, together for each rule.
  struct Problems: Equatable {
    struct Entry: Equatable {
      var states = 0
      /// Of the first of these.
      var example: String
    }

    private(set) var entries: [String: Entry] = [:]

    mutating func add(_ problem: String, of key: RuleStateKey) {
      entries[key.rule, default: Entry(example: "\(key): \(problem)")].states += 1
    }

    mutating func merge(_ others: Problems) {
      entries.merge(others.entries) { Entry(states: $0.states + $1.states, example: $0.example) }
    }
  }

  struct Result {
    /// How many were looked at.
    var states = 0
    var notices: [RuleStore.Notice] = []
    var problems = Problems()
  }

  let rules: RuleSet
  let now: Date
  /// Which version of the catalogue has the rules; nil is a file.
  var catalogueVersion: Int?

  /// When to look again at a state that nothing can be done about: its rule is not in this router's catalogue, as while routers
  /// of a rolling restart disagree, or a later version wrote it. It waits as long again as it has waited, from a minute to an
  /// hour, so that what nobody will ever know costs next to nothing, and what is mended is soon notified.
  private func later(than due: Date?) -> Date {
    guard let due else { return now + Self.longest }
    // Only its person's settings have changed.
    if due > now { return min(due, now + Self.longest) }
    return now + min(max(now.timeIntervalSince(due), 60), Self.longest)
  }

  private static let longest: TimeInterval = 3_600

  /// - Returns: What becomes of each state, the notices to be published, and what could not be done.
  func decide(
    _ due: [RuleStore.Due],
    _ people: RulePeople
  ) -> (changes: RuleStore.Changes, result: Result) {
    var changes = RuleStore.Changes()
    var problems = Problems()
    for item in due {
      guard let rule = rules.rule(named: item.key.rule) else {
        changes.deferred[item.key] = later(than: RuleState.dueTime(in: item.state))
        problems.add("there is no such rule in the catalogue", of: item.key)
        continue
      }
      let state: RuleState
      do throws(RuleStateError) {
        state = try RuleState(json: item.state)
      } catch {
        changes.deferred[item.key] = later(than: RuleState.dueTime(in: item.state))
        problems.add("\(error)", of: item.key)
        continue
      }
      let settings = people.settings(of: item.key.user)
      var evaluation = rule.evaluate(
        item.isUnsettled ? .settingsChanged : .due(now: now),
        key: item.key,
        state: state,
        settings: settings
      )
      if item.isUnsettled, let timer = evaluation.state?.timer, timer.at <= now {
        // Due by the new settings, or by the former ones and not notified yet.
        let settled = evaluation
        evaluation = rule.evaluate(.due(now: now), key: item.key, state: settled.state, settings: settings)
      }
      changes.notices += evaluation.notices.map { RuleStore.Notice($0, catalogueVersion: catalogueVersion) }
      if let after = evaluation.state, after != state {
        changes.states[item.key] = after
      } else {
        let timer = evaluation.state?.timer?.at
        // A rule that has become one without timers does nothing about the one it has.
        changes.timers[item.key] = timer.map { $0 <= now ? later(than: $0) : $0 }
      }
      if case .refused(let refusal) = evaluation.outcome { problems.add("\(refusal)", of: item.key) }
    }
    return (changes, Result(states: due.count, notices: changes.notices, problems: problems))
  }
}
