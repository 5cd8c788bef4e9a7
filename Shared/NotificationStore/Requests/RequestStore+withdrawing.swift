public import NotificationModel
public import Postgres

/// Taking what a request delivered out of inboxes.
extension RequestStore {
  /// A notification that was taken out of its recipient's inbox.
  public struct Withdrawn: Sendable, Equatable {
    public var user: UserID
    public var id: NotificationID
    /// The recipient's unread count afterwards.
    public var unread: Int
  }

  /// Leaves out what a request holds, and takes what it sent out of inboxes, also what was archived or snoozed there. The call
  /// that comes after one which failed, or was not complete, goes on where that ended.
  ///
  /// - Parameters:
  ///   - limit: How many notifications at most.
  ///   - each: Is given what has left inboxes, after each transaction and before the next.
  public func withdraw(
    _ id: RequestID,
    limit: Int,
    each: ([Withdrawn]) async -> Void
  ) async throws(PostgresError) -> Withdrawal {
    var (withdrawal, keys) = try await look(for: Self.remaining, of: id, limit: limit)
    while !keys.isEmpty {
      let part = Array(keys.prefix(Self.perTransaction))
      keys.removeFirst(part.count)
      let results = try await client.transaction(Self.withdraw(part), planned: .alongIndexes)
      var gone: [Withdrawn] = []
      for row in results[5] { gone.append(Withdrawn(user: try row.get(0), id: try row.get(1), unread: try row.get(2))) }
      withdrawal.count += results[4].count
      withdrawal.withdrawnCount += gone.count
      await each(gone)
    }
    return withdrawal
  }

  // MARK: Statements

  /// What waits, is in the inbox, or was put away there.
  static let remaining = "(n.in_app IN \(InboxState.kept.sql) OR \(waits))"

  /// Locks in the order of all: the inboxes, what is held, the notifications, each by user.
  private static func withdraw(_ keys: [Key]) -> [SQLQuery] {
    [
      NotificationStore.lock(inboxesOf: Array(Set(keys.map(\.user))).sorted())[1],
      lockHeld(keys), NotificationStore.lock(keys), remove(keys), cancel(keys), takeOut(keys),
    ]
  }

  static func takeOut(_ keys: [(user: UserID, id: NotificationID)]) -> SQLQuery {
    takingOut.query { query in
      query.bind("user_ids", keys.map(\.user))
      query.bind("ids", keys.map(\.id))
    }
  }

  private static let takingOut = SQLStatement.embedded(
    "withdraw",
    constants: [
      "inbox": InboxState.inbox.sql, "kept": InboxState.kept.sql, "snoozed": InboxState.snoozed.sql,
      "withdrawn": InboxState.withdrawn.sql, "maximum_changes": "\(InboxStore.maximumChanges)",
    ]
  )
}
