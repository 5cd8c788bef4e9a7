import Foundation
import Logging
import NotificationModel
import NotificationStore
import Rules

/// States whose timers are due, or whose people have changed their settings. Pure.
struct DueBatch {
  /// How long a state is left alone that nothing can be done about: its rule is not in this router's catalogue, as while
  /// routers of a rolling restart disagree, or a later version wrote it.
  static let patience: TimeInterval = 60

  let rules: RuleSet
  let now: Date

  /// - Returns: What becomes of each state, the notices to be published, and what could not be done.
  func decide(
    _ due: [RuleStore.Due],
    _ people: RulePeople
  ) -> (changes: RuleStore.Changes, verdict: (notices: [RuleStore.Notice], problems: [String])) {
    var changes = RuleStore.Changes()
    var problems: [String] = []
    for item in due {
      guard let rule = rules.rule(named: item.key.rule) else {
        changes.timers[item.key] = now + Self.patience
        problems.append("\(item.key): there is no such rule in the catalogue")
        continue
      }
      let state: RuleState
      do throws(RuleStateError) {
        state = try RuleState(json: item.state)
      } catch {
        changes.timers[item.key] = now + Self.patience
        problems.append("\(item.key): \(error)")
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
        // Due by the new settings, or by the former ones and not told yet.
        let settled = evaluation
        evaluation = rule.evaluate(.due(now: now), key: item.key, state: settled.state, settings: settings)
      }
      changes.notices += evaluation.notices.map(RuleStore.Notice.init)
      if let after = evaluation.state, after != state {
        changes.states[item.key] = after
      } else {
        let timer = evaluation.state?.timer?.at
        // A rule that has become one without timers does nothing about the one it has.
        changes.timers[item.key] = timer.map { $0 <= now ? now + Self.patience : $0 }
      }
      if case .refused(let refusal) = evaluation.outcome { problems.append("\(item.key): \(refusal)") }
    }
    return (changes, (changes.notices, problems))
  }
}
