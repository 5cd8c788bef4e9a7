import NotificationModel
import NotificationStore

/// Hands rules' notices to the routers. What is stored stays so until the broker has confirmed it, so a router that dies in
/// between leaves it to another one (``RuleTimerWorker``).
struct NoticePublisher {
  let store: any RuleStoring
  let outbox: Outbox

  /// Returns once the broker has confirmed all of them.
  func publish(stored: [RuleStore.Notice], others: [RuleStore.Notice] = []) async throws {
    guard !stored.isEmpty || !others.isEmpty else { return }
    try await outbox.send(notices: stored + others)
    try await store.forget(stored.map(\.id))
  }
}
