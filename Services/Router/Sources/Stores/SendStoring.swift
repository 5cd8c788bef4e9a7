import Foundation
import NotificationStore

/// Keeps sends that wait, and knows those that were withdrawn: what ingest needs of ``ScheduleStore``.
protocol SendStoring: WithdrawalStoring {
  /// Stores what is not stored yet, nor cancelled.
  func store(_ sends: [ScheduleStore.WaitingSend], now: Date) async throws
}

extension ScheduleStore: SendStoring {}
