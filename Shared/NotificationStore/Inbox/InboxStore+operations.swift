public import Foundation
public import NotificationModel
public import Postgres

/// What users do with their notifications. Everything here locks the user's inbox first, as all do that change rows which it
/// counts: so counters move by what really changed, and nobody deadlocks.
extension InboxStore {
  /// Applies an operation to notifications; what is so already, or not there, is passed over.
  ///
  /// - Parameters:
  ///   - ids: Nil means all of the inbox: the unread ones to read, the unseen ones to see, the read ones to delete. Nothing
  ///     else is done to all.
  ///   - now: When it is done, and what is due.
  public func apply(
    _ operation: InboxOperation,
    to ids: [NotificationID]?,
    of user: UserID,
    at now: Date
  ) async throws(PostgresError) -> InboxChange {
    // The last statement sees what a concurrent caller did while the second waited for it.
    let rows = try await client.query(
      Self.apply(operation, to: ids, of: user, at: now),
      after: [Self.lock(user)],
      planned: .alongIndexes
    )
    return try InboxChange(operation, rows)
  }

  /// What is published to the user's open connections; nil if nothing changed.
  public func inboxUpdate(
    _ change: InboxChange,
    of user: UserID,
    catalogue: Catalogue
  ) async throws(PostgresError) -> InboxUpdate? {
    let needsLocale = change.count > 0 && change.operation.sendsContents
    return change.inboxUpdate(catalogue, locale: needsLocale ? try await locale(of: user, catalogue: catalogue) : nil)
  }

  // MARK: Statements

  /// Ids that marking many answers: where there are more, connections are sent the count alone.
  public static let maximumMarked = 100
  /// Changes that are kept of a user.
  static let maximumChanges = 500

  /// Until the transaction ends.
  static func lock(_ user: UserID) -> SQLQuery { "SELECT 1 FROM inbox WHERE user_id = \(user) FOR UPDATE" }

  /// - Parameter ids: Nil means all of the inbox.
  static func apply(
    _ operation: InboxOperation,
    to ids: [NotificationID]?,
    of user: UserID,
    at now: Date
  ) -> SQLQuery {
    InboxStatement(operation, isForAll: ids == nil).query(ids, of: user, at: now, until: operation.until)
  }
}

extension InboxChange {
  /// - Parameter rows: Of ``InboxStore/apply(_:to:of:at:)``'s statement.
  init(_ operation: InboxOperation, _ rows: PostgresResult) throws(PostgresError) {
    guard let first = rows.first else { preconditionFailure("the counts stand in a row of their own") }
    var items: [InboxItem] = []
    for row in rows where try row.get("id", as: NotificationID?.self) != nil { items.append(try InboxItem(row)) }
    self.init(operation: operation, count: try first.get("count"), items: items, counts: try InboxStore.Counts(first))
  }
}

extension InboxStore.Counts {
  init(_ row: PostgresRow) throws(PostgresError) {
    let unread: Int = try row.get("unread")
    self.init(
      unread: unread,
      total: try row.get("total"),
      unseen: max(0, unread - (try row.get("seen_unread", as: Int.self)))
    )
  }
}
