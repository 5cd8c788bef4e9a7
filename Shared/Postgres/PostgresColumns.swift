import CPostgreSQL

/// Names and types of a result's columns, shared by all its rows and by all results of a prepared statement.
@usableFromInline final class PostgresColumns: Sendable {
  static let none = PostgresColumns(names: [], types: [])

  @usableFromInline let names: [String]
  @usableFromInline let types: [PostgresType]

  private init(names: [String], types: [PostgresType]) {
    self.names = names
    self.types = types
  }

  convenience init(_ result: OpaquePointer) {
    let columns = 0..<PQnfields(result)
    self.init(
      names: columns.map { PQfname(result, $0).map { String(cString: $0) } ?? "" },
      types: columns.map { PostgresType(rawValue: PQftype(result, $0)) }
    )
  }

  /// Columns are few: comparing short strings beats hashing one.
  func index(of name: String) -> Int? {
    names.firstIndex(of: name)
  }
}
