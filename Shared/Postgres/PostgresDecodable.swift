/// A value that can be read from a column, from PostgreSQL's binary format.
///
/// A `RawRepresentable` type over such a value conforms without writing anything.
public protocol PostgresDecodable: Sendable {
  /// Throws `.decoding` if the cell is NULL (unless the type is optional), of another type or out of range.
  init(from cell: PostgresCell) throws(PostgresError)
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
  public init(from cell: PostgresCell) throws(PostgresError) {
    guard let value = Self(rawValue: try RawValue(from: cell)) else {
      throw PostgresError(.decoding, "not a value of \(Self.self)")
    }
    self = value
  }
}
