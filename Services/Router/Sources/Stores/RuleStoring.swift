import Foundation
import NotificationModel
import NotificationStore
import Rules

/// Keeps what rules remember: what evaluating events needs of ``RuleStore``.
protocol RuleStoring: Sendable {
  /// Those of the users who have a profile.
  func people(_ users: [UserID]) async throws -> [UserID: RuleStore.Person]

  /// Locks states, and stores what `decide` makes of them in one transaction. It may be asked again.
  func change<Result>(
    _ keys: Set<RuleStateKey>,
    now: Date,
    _ decide: ([RuleStateKey: String]) throws -> (changes: RuleStore.Changes, result: Result)
  ) async throws -> Result

  /// Forgets notices that the broker has confirmed.
  func forget(_ notices: [RequestID]) async throws
}

extension RuleStore: RuleStoring {}
