import Foundation
import NotificationModel
import NotificationStore

/// Keeps what waits: what re-evaluation needs of ``HeldStore``.
protocol HeldStoring: WaitingStoring {
  /// Claims what is due of the types that the caller knows, by people and channel.
  func claim(types: [Int], limit: Int, now: Date, until: Date) async throws -> HeldClaim
  /// The claim's entries as they are stored now; those that are not the claimant's any more are left out.
  func reread(_ claim: HeldClaim) async throws -> HeldClaim
  /// What notifications say; those that are gone are left out.
  func contents(of notifications: [(user: UserID, id: NotificationID)]) async throws -> [NotificationID: HeldContent]
  /// Stores what was decided, as far as the claim still holds.
  func settle(_ settlement: HeldSettlement, of claim: HeldClaim) async throws -> HeldSettlement.Result
  /// Removes what is done with a claim.
  func finish(_ claim: HeldClaim) async throws
  /// Which other types something is of that is due and nobody's.
  func unknownTypes(knowing types: [Int], now: Date) async throws -> Set<Int>
  /// Puts off what is due of other types, and answers which these are.
  func putOff(knowing types: [Int], now: Date) async throws -> Set<Int>
}

extension HeldStore: HeldStoring {}
