/// Raw bytes, for `bytea`.
public struct PostgresBytes: PostgresArrayElement, PostgresDecodable, Hashable {
  public var bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  public static var postgresType: PostgresType { .bytea }
  public static var postgresArrayType: PostgresType { .byteaArray }
  public func encode(into buffer: inout [UInt8]) { buffer.append(contentsOf: bytes) }
  public init(from cell: PostgresCell) throws(PostgresError) { bytes = [UInt8](try cell.bytes(of: .bytea)) }
}
