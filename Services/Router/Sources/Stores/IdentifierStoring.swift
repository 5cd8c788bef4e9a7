import Foundation
import NotificationModel
import NotificationStore
import UserIdentity

/// Knows which id a user's UUID stands for: what routing needs of ``UserIdentifierStore``.
protocol IdentifierStoring: Sendable {
  /// Stores those that nobody has been known by so far.
  ///
  /// - Returns: Those whose UUID is another's.
  func claim(_ claims: [(identifier: UserIdentifier, asked: Date)]) async throws -> Set<UserIdentifier>

  /// Whether nothing is left to do for any of them: each was stored a moment ago, and is not another's. Asks no database.
  func know(_ identifiers: [UserIdentifier]) -> Bool

  /// Looks up whether identifiers are refused, and stores none.
  func check(_ identifiers: [UserIdentifier]) async throws -> Set<UserIdentifier>

  /// What users are called.
  func texts(of users: [UserID]) async throws -> UserTexts
}

extension UserIdentifierStore: IdentifierStoring {}
