import NotificationQueue
import NotificationStore
import Rules

/// Events that were evaluated: what follows is stored and not yet published.
///
/// Where nobody publishes it, another router does (``RuleTimerWorker``).
struct StoredEvaluation {
  private let verdict: EvaluationBatch.Verdict
  private let publisher: NoticePublisher

  init(_ verdict: EvaluationBatch.Verdict, publisher: NoticePublisher) {
    self.verdict = verdict
    self.publisher = publisher
  }

  /// All notices that follow. Whoever has some at hand may route them before the rest is published.
  var notices: [NoticeRequest] { verdict.stored + verdict.others }

  /// Returns once the broker has confirmed the rest of the notices, and none is left to another router.
  ///
  /// - Parameter rest: Those of the notices that have not been routed.
  /// - Returns: For each event why it cannot be evaluated; nil if it was. Nothing follows from one that any rule refuses.
  func publish(_ rest: [NoticeRequest]) async throws -> [RuleRefusal?] {
    try await publisher.publish(rest.map(RuleStore.Notice.init), forgetting: verdict.stored.map(\.requestId))
    return verdict.refusals
  }
}
