/// One value of a result, in the server's binary format. Valid only while it is being decoded.
public struct PostgresCell {
  /// The column's type, or the element's within an array.
  public let type: PostgresType
  /// The value's bytes; nil is NULL.
  public let bytes: UnsafeRawBufferPointer?

  @usableFromInline init(type: PostgresType, bytes: UnsafeRawBufferPointer?) {
    self.type = type
    self.bytes = bytes
  }

  /// The bytes, if the cell is of one of these types and not NULL.
  public func bytes(of types: PostgresType...) throws(PostgresError) -> UnsafeRawBufferPointer {
    guard types.contains(type) else {
      throw PostgresError(.decoding, "the server's type \(type.rawValue) is not what was asked for")
    }
    guard let bytes else { throw PostgresError(.decoding, "NULL") }
    return bytes
  }

  /// An integer of any width, if it fits.
  func integer<T: FixedWidthInteger>() throws(PostgresError) -> T {
    let bytes = try bytes(of: .int8, .int4, .int2, .oid)
    let value: Int64
    switch bytes.count {
    case 8: value = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4 where type == .oid: value = Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
    case 4: value = Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: value = Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    default: throw PostgresError(.decoding, "an integer of \(bytes.count) bytes")
    }
    guard let result = T(exactly: value) else { throw PostgresError(.decoding, "out of range of \(T.self)") }
    return result
  }

  /// Text of any textual type. The first byte of `jsonb` is its format's version.
  func text() throws(PostgresError) -> String {
    let bytes = try bytes(of: .text, .varchar, .name, .bpchar, .unknown, .json, .jsonb)
    return String(decoding: type == .jsonb ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) : bytes, as: UTF8.self)
  }
}
