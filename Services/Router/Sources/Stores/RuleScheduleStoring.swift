import Foundation
import NotificationModel
import NotificationStore
import Rules
import WallClock

/// Finds states whose time has come: what ``RuleTimerWorker`` and ``AbsenceWorker`` need of ``RuleStore``.
protocol RuleScheduleStoring: RuleStoring {
  /// Takes states that are due and stores what `decide` makes of them in one transaction; nil where nothing is due.
  func due<Result>(
    now: Date,
    limit: Int,
    _ decide: ([RuleStore.Due], [UserID: RuleStore.Person]) throws -> (changes: RuleStore.Changes, result: Result)
  ) async throws -> Result?

  /// Notices that nobody has published in time, now the caller's to publish.
  func orphans(now: Date, limit: Int) async throws -> [RuleStore.Notice]

  /// Every zone that some profile has, and ``RuleStore/noZone``.
  func zonesInUse() async throws -> [String]

  /// Claims a rule's scan of a local day for zones; answers those that are the caller's to do until `until`.
  func claimScan(_ rule: String, of day: LocalDate, zones: [String], now: Date, until: Date) async throws -> [String]

  /// Notes that a scan is done.
  func finishScan(_ rule: String, of day: LocalDate, zones: [String]) async throws

  /// States whose last day was `lastDay` and whose people live in `zones`, in the order of their people.
  func absent(
    _ rule: String,
    lastDay: LocalDate,
    zones: [String],
    after: UUID?,
    limit: Int
  ) async throws -> [RuleStateKey]
}

extension RuleStore: RuleScheduleStoring {}
