import Foundation
import NotificationStore

/// Answers what is due, and takes note of what was done: what ``ScheduleRunner`` needs of ``ScheduleStore``.
protocol ScheduleStoring: Sendable {
  /// Takes what is due for `lease` seconds; several routers never get the same.
  func claim(_ work: ScheduleStore.Work, limit: Int, lease: TimeInterval, now: Date) async throws -> [ScheduleStore
    .Claim]
  /// Notes how far schedules have come, where the claim still holds.
  func advance(_ advances: [ScheduleStore.Advance]) async throws
  /// Removes sends that have been handed on, or were cancelled.
  func finish(_ sends: [ScheduleStore.Claim]) async throws
}

extension ScheduleStore: ScheduleStoring {}
