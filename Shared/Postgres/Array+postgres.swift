/// A one-dimensional array: five header words (dimensions, has NULLs, element type, length, lower bound), then each
/// element with its length, -1 for NULL (`array_send` in the server's `arrayfuncs.c`).
///
/// Inlinable, as all that leads here: else each element would be written generically, at several times the price.
extension Array: PostgresEncodable where Element: PostgresArrayElement {
  public static var postgresType: PostgresType { Element.postgresArrayType }

  @inlinable public func encode(into bytes: inout [UInt8]) {
    bytes.appendBigEndian(Int32(isEmpty ? 0 : 1))
    let hasNulls = bytes.count
    bytes.appendBigEndian(Int32(0))
    bytes.appendBigEndian(Element.postgresType.rawValue)
    guard !isEmpty else { return }
    bytes.appendBigEndian(Int32(count))
    bytes.appendBigEndian(Int32(1))
    for element in self {
      let start = bytes.count
      bytes.appendBigEndian(Int32(-1))
      guard !element.isPostgresNull else {
        bytes.replaceBigEndian(at: hasNulls, with: 1)
        continue
      }
      element.encode(into: &bytes)
      bytes.replaceBigEndian(at: start, with: Int32(bytes.count - start - 4))
    }
  }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
  public init(from cell: PostgresCell) throws(PostgresError) {
    guard var rest = cell.bytes else { throw PostgresError(.decoding, "NULL") }
    func word() throws(PostgresError) -> Int32 {
      guard rest.count >= 4 else { throw PostgresError(.decoding, "not an array") }
      defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(4)) }
      return Int32(bigEndian: rest.loadUnaligned(as: Int32.self))
    }
    let dimensions = try word()
    _ = try word()
    let type = PostgresType(rawValue: UInt32(bitPattern: try word()))
    self.init()
    if dimensions == 0, rest.isEmpty { return }
    guard dimensions == 1 else { throw PostgresError(.decoding, "not a one-dimensional array") }
    let count = Int(try word())
    _ = try word()
    // An element takes at least four bytes: what the cell says beyond that is not reserved.
    reserveCapacity(Swift.min(count, rest.count / 4))
    for _ in 0..<count {
      let length = Int(try word())
      guard length <= rest.count else { throw PostgresError(.decoding, "a truncated array") }
      let bytes = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: rest.prefix(length))
      append(try Element(from: PostgresCell(type: type, bytes: bytes)))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Swift.max(0, length)))
    }
  }
}
