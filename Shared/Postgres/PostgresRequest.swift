/// What a caller wants sent, as one unit between two syncs of the pipeline.
final class PostgresRequest: Sendable {
  enum Body: Sendable {
    /// One statement.
    case query(SQLQuery)
    /// Several statements in one implicit transaction.
    case segment([SQLQuery])
    /// Statements separated by semicolons, over the simple protocol: outside the pipeline.
    case script(String)
  }

  let body: Body
  /// Whether the caller is given up when no answer has come in time.
  let hasDeadline: Bool
  /// On whose behalf.
  let access: ConnectionAccess

  init(_ body: Body, access: ConnectionAccess = .shared, hasDeadline: Bool = true) {
    self.body = body
    self.access = access
    self.hasDeadline = hasDeadline
  }

  var isScript: Bool {
    if case .script = body { true } else { false }
  }

  /// Throws `.invalidQuery` for what the protocol cannot carry.
  func validate() throws(PostgresError) {
    switch body {
    case .query(let query): try validate(query)
    case .segment(let queries): for query in queries { try validate(query) }
    case .script: break
    }
  }

  private func validate(_ query: SQLQuery) throws(PostgresError) {
    guard access != .shared || !Self.opensTransaction(query.sql) else {
      throw PostgresError(.invalidQuery, "a transaction needs a connection of its own: withTransaction")
    }
    guard query.bindings.count <= SQLBindings.maximumCount else {
      throw PostgresError(
        .invalidQuery,
        "more than \(SQLBindings.maximumCount) parameters: bind arrays and unnest them"
      )
    }
    // The protocol's messages are limited by PostgreSQL's own 1 GiB.
    guard query.bindings.bytes.count + query.sql.utf8.count < 1_000_000_000 else {
      throw PostgresError(.invalidQuery, "more than 1 GB")
    }
  }

  /// On a shared connection everybody's next statements would be in it.
  private static func opensTransaction(_ sql: String) -> Bool {
    let word = sql.utf8.drop { $0 <= UInt8(ascii: " ") }.prefix(5).map { $0 | 0x20 }
    return word == Array("begin".utf8) || word == Array("start".utf8)
  }
}
