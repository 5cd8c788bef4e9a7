import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import WallClock

/// Judges events by the catalogue's rules: what follows is stored with what the rules then remember, in one transaction, and
/// told. Everything it does may be repeated without telling anything twice.
struct EventJudge {
  let rules: RuleSet
  let store: any RuleStoring
  let notices: NoticePublisher
  /// The deployment's, for people without their own.
  let zone: Zone
  var metrics: RouterMetrics?

  /// Returns once all that follows is stored, and told or with the broker.
  ///
  /// - Parameter tell: Tells what it can at once; answers the rest, which goes through the queue. Where it ends before it
  ///   answers, what is stored is published by another router (``RuleTimerWorker``).
  /// - Returns: For each event why it cannot be judged; nil if it was. Nothing follows from one that any rule refuses.
  func judge(
    _ events: [RuleEvent],
    now: Date,
    telling tell: ([NoticeRequest]) async throws -> [NoticeRequest] = { $0 }
  ) async throws -> [RuleRefusal?] {
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
    if verdict.fired > 0 {
      let rest = try await tell(verdict.stored + verdict.others)
      try await notices.publish(rest.map(RuleStore.Notice.init), forgetting: verdict.stored.map(\.requestId))
    }
    return verdict.refusals
  }
}
