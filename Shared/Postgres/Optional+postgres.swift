extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
  public static var postgresType: PostgresType { Wrapped.postgresType }
  public var isPostgresNull: Bool { self?.isPostgresNull ?? true }
  public func encode(into bytes: inout [UInt8]) { self?.encode(into: &bytes) }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement {
  public static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
  public init(from cell: PostgresCell) throws(PostgresError) {
    self = cell.bytes == nil ? nil : try Wrapped(from: cell)
  }
}
