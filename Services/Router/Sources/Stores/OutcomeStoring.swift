import NotificationStore

/// Keeps outcomes of deliveries that no dispatcher is handed: what routing needs of ``DeliveryStore``.
protocol OutcomeStoring: Sendable {
  /// Commits outcomes; one that says delivered is never replaced.
  func record(_ records: [DeliveryStore.Record]) async throws
}

extension DeliveryStore: OutcomeStoring {}

extension OutcomeStoring {
  /// Commits what is known of dispatches before they are sent: whoever repeats them finds the same.
  func record(_ dispatches: DispatchBuilder.Dispatches, metrics: RouterMetrics?) async throws {
    guard !dispatches.outcomes.isEmpty else { return }
    try await record(dispatches.outcomes)
    metrics?.refused(dispatches.outcomes)
  }
}
