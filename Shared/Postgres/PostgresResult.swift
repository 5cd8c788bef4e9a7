/// What a statement answered: its rows, all of them in memory.
public struct PostgresResult: Sendable, RandomAccessCollection {
  let storage: PostgresRowStorage

  /// Rows inserted, updated, deleted or selected, as the server counts them.
  public var affectedRows: Int { storage.affectedRows }
  /// Names of the columns, in order.
  public var columnNames: [String] { storage.columns.names }

  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.rows }

  public subscript(position: Int) -> PostgresRow {
    precondition(position >= 0 && position < storage.rows, "row index out of range")
    return PostgresRow(storage: storage, index: position)
  }
}
