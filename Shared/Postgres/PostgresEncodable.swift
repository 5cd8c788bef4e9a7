/// A value that can be bound to a parameter, in PostgreSQL's binary format.
///
/// A `RawRepresentable` type over such a value conforms without writing anything.
public protocol PostgresEncodable: Sendable {
  /// The type the parameter is declared with.
  static var postgresType: PostgresType { get }
  /// Whether the value is NULL; `encode` is not called then. Default: it is not.
  var isPostgresNull: Bool { get }
  /// Appends the value's bytes as its `send` function on the server would (big-endian, without a length).
  func encode(into bytes: inout [UInt8])
}

extension PostgresEncodable {
  @inlinable public var isPostgresNull: Bool { false }
}

/// A value that can be an element of a one-dimensional array.
public protocol PostgresArrayElement: PostgresEncodable {
  /// The type of an array of such values.
  static var postgresArrayType: PostgresType { get }
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
  public static var postgresType: PostgresType { RawValue.postgresType }
  public func encode(into bytes: inout [UInt8]) { rawValue.encode(into: &bytes) }
}

extension PostgresArrayElement where Self: RawRepresentable, RawValue: PostgresArrayElement {
  public static var postgresArrayType: PostgresType { RawValue.postgresArrayType }
}

extension [UInt8] {
  @inlinable mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  @inlinable mutating func replaceBigEndian(at offset: Int, with value: Int32) {
    Swift.withUnsafeBytes(of: value.bigEndian) { bytes in
      for index in 0..<bytes.count { self[offset + index] = bytes[index] }
    }
  }
}
