import Foundation
import NotificationModel
import NotificationStore

/// Answers what decides how long something waits, beside settings: what routing needs of ``HeldStore``.
protocol WaitingStoring: Sendable {
  /// The digests' windows that are open.
  func windows(_ keys: Set<HeldStore.WindowKey>, now: Date) async throws -> [HeldStore.WindowKey: DigestWindow]
  /// Counts what throttles let through; one answer for each, in the same order.
  func count(_ candidates: [HeldStore.ThrottleCandidate], now: Date) async throws -> [HeldStore.ThrottleAnswer]
  /// Takes back what was counted for notifications that turned out to have been decided before.
  func discount(_ candidates: [HeldStore.ThrottleCandidate]) async throws
}

extension HeldStore: WaitingStoring {}
