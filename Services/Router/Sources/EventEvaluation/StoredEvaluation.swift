import NotificationQueue
import NotificationStore
import Rules

/// Events that were evaluated: what follows is stored and not yet published.
///
/// Where nobody publishes it, another router does (``RuleTimerWorker``).
struct StoredEvaluation {
  private let result: EvaluationBatch.Result
  private let publisher: NoticePublisher

  init(_ result: EvaluationBatch.Result, publisher: NoticePublisher) {
    self.result = result
    self.publisher = publisher
  }

  /// All notices that follow. Whoever has some at hand may route them before the rest is published.
  var notices: [NoticeRequest] { result.stored + result.others }

  /// For each event why it cannot be evaluated; nil if it was. Nothing follows from one that any rule refuses.
  var refusals: [RuleRefusal?] { result.refusals }

  /// Returns once the broker has confirmed the rest of the notices, and none is left to another router.
  ///
  /// - Parameter unrouted: Those of the notices that have not been routed.
  func finish(unrouted: [NoticeRequest]) async throws {
    try await publisher.publish(unrouted.map(RuleStore.Notice.init), forgetting: result.stored.map(\.requestId))
  }
}
