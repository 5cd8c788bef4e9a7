import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import WallClock

/// Judges events by the catalogue's rules: what follows is stored with what the rules then remember, in one transaction, and
/// published. Everything it does may be repeated without telling anything twice.
struct EventJudge {
  let rules: RuleSet
  let store: any RuleStoring
  let notices: NoticePublisher
  /// The deployment's, for people without their own.
  let zone: Zone
  var metrics: RouterMetrics?

  /// Returns once all that follows is stored, and the broker has confirmed it.
  ///
  /// - Returns: For each event why it cannot be judged; nil if it was. Nothing follows from one that any rule refuses.
  func judge(_ events: [RuleEvent], now: Date) async throws -> [RuleRefusal?] {
    guard !events.isEmpty else { return [] }
    var batch = JudgedBatch(events, rules)
    let people = try await store.people(batch.people)
    batch.meet(RulePeople(people, zone: zone))
    let verdict: JudgedBatch.Verdict
    if batch.keys.isEmpty {
      verdict = try batch.decide([:]).verdict
    } else {
      verdict = try await store.change(batch.keys, now: now) { stored in try batch.decide(stored) }
    }
    metrics?.judged(verdict)
    try await notices.publish(stored: verdict.stored, others: verdict.others)
    return verdict.refusals
  }
}
