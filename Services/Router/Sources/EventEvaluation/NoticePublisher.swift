import NotificationModel
import NotificationStore

/// Hands rules' notices to the routers. What is stored stays so until the broker has confirmed it, so a router that dies in
/// between leaves it to another one (``RuleTimerWorker``).
struct NoticePublisher {
  let store: any RuleStoring
  let publisher: RouterPublisher

  /// Returns once the broker has confirmed all of them.
  func publish(stored: [RuleStore.Notice]) async throws { try await publish(stored, forgetting: stored.map(\.id)) }

  /// Returns once the broker has confirmed all of them.
  ///
  /// - Parameter settled: Which of all that is stored are routed then, or in the broker's hands.
  func publish(_ notices: [RuleStore.Notice], forgetting settled: [RequestID]) async throws {
    if !notices.isEmpty { try await publisher.send(notices: notices) }
    if !settled.isEmpty { try await store.forget(settled) }
  }
}
