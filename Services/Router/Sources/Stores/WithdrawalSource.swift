import NotificationModel
import NotificationStore

/// Tells which requests were withdrawn: what looking again at held work needs of ``ScheduleStore``.
protocol WithdrawalSource: Sendable {
  /// Those of the requests that were.
  func cancelled(among requests: [RequestID]) async throws -> Set<RequestID>
}

extension ScheduleStore: WithdrawalSource {}
