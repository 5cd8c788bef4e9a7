public import Foundation
public import NotificationModel
import Postgres

/// That an address is not written to, and what is known of why.
public struct Suppression: Sendable, Equatable {
  /// As ``MailAddress/canonical(_:)`` writes it.
  public var address: String
  public var reason: SuppressionReason
  public var since: Date
  /// What said so last: `smtp`, `dsn`, a provider's name, `admin`; `profile` of what an earlier release stored.
  public var source: String
  /// In the words of who said so last.
  public var diagnostic: String?
  /// When it was said last.
  public var lastAt: Date
  /// Whose mail led to it, if that is known.
  public var user: UserID?

  /// A place in the list, to the microsecond.
  public struct Cursor: Sendable, Equatable {
    public var since: Date
    public var address: String
    public var reason: SuppressionReason

    public init(since: Date, address: String, reason: SuppressionReason) {
      self.since = since
      self.address = address
      self.reason = reason
    }

    /// Before all that there is.
    static let first = Cursor(since: .distantFuture, address: "", reason: SuppressionReason(rawValue: .max))
  }

  /// Where the next page begins.
  public var cursor: Cursor { Cursor(since: since, address: address, reason: reason) }
}

extension Suppression {
  static let columns = "address, reason, since, source, diagnostic, last_at, user_id"

  init(_ row: PostgresRow) throws(PostgresError) {
    self.init(
      address: try row.get("address"),
      reason: SuppressionReason(rawValue: try row.get("reason")),
      since: try row.get("since"),
      source: try row.get("source"),
      diagnostic: try row.get("diagnostic"),
      lastAt: try row.get("last_at"),
      user: try row.get("user_id")
    )
  }
}
