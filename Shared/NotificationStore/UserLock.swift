import NotificationModel
import Postgres

/// Keeps a user's settings to one writer at a time, also where the user has no row yet that could be locked.
enum UserLock {
  /// Held until the end of the transaction. What other locks are taken by the id's text has another seed.
  static func take(_ user: UserID) -> SQLQuery {
    "SELECT pg_advisory_xact_lock(hashtextextended(\(user.description), 7))"
  }
}
