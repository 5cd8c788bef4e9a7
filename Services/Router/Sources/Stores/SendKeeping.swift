import Foundation
import NotificationStore

/// Keeps sends that wait: what routing needs of ``ScheduleStore``.
protocol SendKeeping: Sendable {
  /// Stores what is not stored yet, nor cancelled.
  func store(_ sends: [ScheduleStore.WaitingSend], now: Date) async throws
}

extension ScheduleStore: SendKeeping {}
