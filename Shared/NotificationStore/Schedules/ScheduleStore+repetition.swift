public import Foundation
public import NotificationModel
import Postgres
public import WallClock

/// Changes of schedules that a caller may repeat, because the answer to the first was lost.
extension ScheduleStore {
  /// What became of a change that came with a key.
  public enum KeyedChange: Sendable {
    case changed(Change)
    /// It happened before, when the key was claimed by this id; what there is now, which others may have changed since.
    case repeated(Entry?, of: RequestID)
    /// The key stands for another change.
    case reused
  }

  /// As ``put(_:of:definition:startsOn:expecting:limit:now:)``, once for each claim: what happened and the key's confirmation
  /// are committed together, so a repetition never writes over what came after the first.
  ///
  /// - Parameter prepare: The definition, the day that it starts on and what is known of its dates; asked only if the change has
  ///   not happened. What it throws leaves the key to be used.
  public func put(
    _ key: String,
    of owner: String,
    claim: IdempotencyStore.Claim,
    expecting: Expectation = .anything,
    limit: Int,
    now: Date,
    _ prepare: () throws -> (definition: String, startsOn: LocalDate, plan: String?)
  ) async throws -> KeyedChange {
    try await client.withTransaction { transaction in
      let known = try await IdempotencyStore.claim(claim, in: transaction)
      guard known.isSameBody else { return .reused }
      if known.isConfirmed {
        let entry = try await transaction.query(Self.entry(key, of: owner)).first.map { try Entry($0) }
        return .repeated(entry, of: known.requestID)
      }
      let (definition, startsOn, plan) = try prepare()
      let change = try await put(
        key,
        of: owner,
        definition: definition,
        startsOn: startsOn,
        plan: plan,
        expecting: expecting,
        limit: limit,
        now: now,
        in: transaction
      )
      switch change {
      case .created, .kept:
        _ = try await transaction.query(IdempotencyStore.confirmation(scope: claim.scope, key: claim.key))
      case .deleted, .missing, .conflict, .full: break
      }
      return .changed(change)
    }
  }
}
