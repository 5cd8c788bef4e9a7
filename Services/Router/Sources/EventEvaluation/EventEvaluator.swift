import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import WallClock

/// Evaluates the catalogue's rules on events. Everything it does may be repeated: no notice is sent twice.
struct EventEvaluator {
  let rules: RuleSet
  let store: any RuleStoring
  let notices: NoticePublisher
  /// The deployment's, for people without their own.
  let zone: Zone
  var metrics: RouterMetrics?

  /// Returns once all that follows is stored, with what the rules then remember, in one transaction.
  func evaluate(_ events: [RuleEvent], now: Date) async throws -> StoredEvaluation {
    guard !events.isEmpty else { return StoredEvaluation(EvaluationBatch.Verdict(refusals: []), publisher: notices) }
    var batch = EvaluationBatch(events, rules)
    let people = try await store.people(batch.people)
    batch.meet(RulePeople(people, zone: zone))
    let verdict: EvaluationBatch.Verdict
    if batch.keys.isEmpty {
      verdict = try batch.decide([:]).verdict
    } else {
      verdict = try await store.change(batch.keys, now: now) { stored in try batch.decide(stored) }
    }
    metrics?.evaluated(verdict)
    return StoredEvaluation(verdict, publisher: notices)
  }
}
