import Foundation
import NotificationModel
import Postgres

/// Keeps a user's settings to one writer at a time, also where the user has no row yet that could be locked.
enum UserLock {
  /// Held until the end of the transaction. What other locks are taken by the id's text has another seed.
  static func take(_ user: UserID) -> SQLQuery {
    "SELECT pg_advisory_xact_lock(hashtextextended(\(user.description), 7))"
  }

  /// One row if the user was erased at that time or later: then what was asked for is not written any more. To be asked under the
  /// lock, which erasing takes after it has left its mark.
  static func erasure(of user: UserID, since asked: Date) -> SQLQuery {
    "SELECT 1 FROM erased_users WHERE user_id = \(user) AND erased_at >= \(asked)"
  }
}
