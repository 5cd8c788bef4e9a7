import NotificationStore

/// Tells which requests were withdrawn: what ingest, schedules and held work need of ``ScheduleStore``.
protocol WithdrawalSource: Sendable {
  /// Those of the requests that were, by who may.
  func cancelled(among requests: Set<NamedRequest>) async throws -> Set<NamedRequest>
}

extension ScheduleStore: WithdrawalSource {}
