extension Bool: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .bool }
  public static var postgresArrayType: PostgresType { .boolArray }
  public func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }

  public init(from cell: PostgresCell) throws(PostgresError) {
    self = try cell.bytes(of: .bool).first == 1
  }
}

extension Int16: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .int2 }
  public static var postgresArrayType: PostgresType { .int2Array }
  public func encode(into bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
  public init(from cell: PostgresCell) throws(PostgresError) { self = try cell.integer() }
}

extension Int32: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .int4 }
  public static var postgresArrayType: PostgresType { .int4Array }
  public func encode(into bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
  public init(from cell: PostgresCell) throws(PostgresError) { self = try cell.integer() }
}

extension Int64: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .int8 }
  public static var postgresArrayType: PostgresType { .int8Array }
  public func encode(into bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
  public init(from cell: PostgresCell) throws(PostgresError) { self = try cell.integer() }
}

extension Int: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .int8 }
  public static var postgresArrayType: PostgresType { .int8Array }
  public func encode(into bytes: inout [UInt8]) { bytes.appendBigEndian(Int64(self)) }
  public init(from cell: PostgresCell) throws(PostgresError) { self = try cell.integer() }
}

extension Double: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .float8 }
  public static var postgresArrayType: PostgresType { .float8Array }
  public func encode(into bytes: inout [UInt8]) { bytes.appendBigEndian(bitPattern) }

  public init(from cell: PostgresCell) throws(PostgresError) {
    let bytes = try cell.bytes(of: .float8, .float4)
    switch bytes.count {
    case 8: self.init(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    case 4: self.init(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
    default: throw PostgresError(.decoding, "a floating-point number of \(bytes.count) bytes")
    }
  }
}
