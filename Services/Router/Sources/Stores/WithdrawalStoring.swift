import NotificationStore

/// Answers which requests were withdrawn: what ingest, schedules and held work need of ``ScheduleStore``.
protocol WithdrawalStoring: Sendable {
  /// Those of the requests that were, by who may.
  func withdrawn(among requests: Set<NamedRequest>) async throws -> Set<NamedRequest>
}

extension ScheduleStore: WithdrawalStoring {}
