/// One row of a result; reading it is inlinable, so that the types of the values are known. Cheap to copy; it keeps the whole result alive.
public struct PostgresRow: Sendable {
  @usableFromInline let storage: PostgresRowStorage
  @usableFromInline let index: Int

  /// The value of the named column. Throws `.decoding` (which names the column) if there is no such column or the value
  /// is not a `T`; ask for an `Optional` where NULL is possible.
  public func get<T: PostgresDecodable>(_ column: String, as type: T.Type = T.self) throws(PostgresError) -> T {
    guard let position = storage.columns.index(of: column) else {
      throw PostgresError(.decoding, "no column \(column)")
    }
    return try get(position)
  }

  /// The value of the column at a position, counted from 0. Throws as the other `get` does.
  @inlinable public func get<T: PostgresDecodable>(_ column: Int, as type: T.Type = T.self) throws(PostgresError) -> T {
    guard storage.columns.names.indices.contains(column) else {
      throw PostgresError(.decoding, "no column \(column)")
    }
    do {
      return try storage.decode(row: index, column: column)
    } catch {
      throw error.at("column \(storage.columns.names[column]) as \(T.self)")
    }
  }
}
