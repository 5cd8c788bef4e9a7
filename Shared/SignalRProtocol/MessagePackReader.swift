import BelfryJSON

/// Reads one MessagePack value, as a client sent it, in a single pass and in time and memory linear in the input.
///
/// Nothing that the input declares is believed: a container may hold no more values than bytes are left, and nesting is
/// limited to ``maximumDepth``. Text must be UTF-8. Extension types, timestamps among them, are read as their bytes.
/// Source: github.com/msgpack/msgpack, spec.md.
public struct MessagePackReader: Sendable {
  public static let maximumDepth = 32

  private let bytes: ArraySlice<UInt8>
  private var index: Int
  /// How many values have been promised and not been read; each takes at least a byte.
  private var owed = 1

  /// - Parameter bytes: One value and nothing else.
  public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  // MARK: Reading

  /// The next value with everything in it.
  ///
  /// Unsigned numbers beyond `Int64` become floating point. Whole numbers as keys become text.
  public mutating func value() throws(HubProtocolError) -> HubValue {
    try value(depth: 0)
  }

  /// Begins an array and answers how many values follow; nil if the next value is something else, which is then lost.
  public mutating func arrayHeader() throws(HubProtocolError) -> Int? {
    guard case .array(let count) = try token() else { return nil }
    return count
  }

  /// Passes over the next value, however deep it is.
  public mutating func skip() throws(HubProtocolError) {
    let rest = owed - 1
    repeat { try skipToken() } while owed > rest
  }

  /// Passes over all that has been promised, after which the input must end.
  public mutating func finish() throws(HubProtocolError) {
    while owed > 0 { try skipToken() }
    guard index == bytes.endIndex else { throw failure(at: index) }
  }

  // MARK: Parts

  /// A scalar, or the beginning of what follows.
  private enum Token {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(Int)
    case data(Int)
    case array(Int)
    case map(Int)
  }

  private func failure(at index: Int) -> HubProtocolError { .malformedMessagePack(offset: index - bytes.startIndex) }

  private mutating func value(depth: Int) throws(HubProtocolError) -> HubValue {
    let start = index
    switch try token() {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .double(let value): return .double(value)
    case .string(let count):
      guard let text = String(validUTF8: try take(count)) else { throw failure(at: start) }
      return .string(text)
    case .data(let count): return .data(Array(try take(count)))
    case .array(let count):
      guard depth < Self.maximumDepth else { throw failure(at: start) }
      var values: [HubValue] = []
      values.reserveCapacity(count)
      for _ in 0..<count { values.append(try value(depth: depth + 1)) }
      return .array(values)
    case .map(let count):
      guard depth < Self.maximumDepth else { throw failure(at: start) }
      var members: [HubMember] = []
      members.reserveCapacity(count)
      for _ in 0..<count { members.append(HubMember(try key(), try value(depth: depth + 1))) }
      return .object(members)
    }
  }

  private mutating func key() throws(HubProtocolError) -> String {
    let start = index
    switch try token() {
    case .string(let count):
      guard let text = String(validUTF8: try take(count)) else { throw failure(at: start) }
      return text
    case .integer(let value): return String(value)
    case .null, .bool, .double, .data, .array, .map: throw failure(at: start)
    }
  }

  private mutating func skipToken() throws(HubProtocolError) {
    switch try token() {
    case .string(let count), .data(let count): _ = try take(count)
    case .null, .bool, .integer, .double, .array, .map: break
    }
  }

  private mutating func token() throws(HubProtocolError) -> Token {
    let start = index
    guard owed > 0, index < bytes.endIndex else { throw failure(at: start) }
    owed -= 1
    let type = bytes[index]
    index += 1
    switch type {
    case 0x00...0x7F: return .integer(Int64(type))
    case 0x80...0x8F: return .map(try promised(UInt64(type & 0x0F), each: 2))
    case 0x90...0x9F: return .array(try promised(UInt64(type & 0x0F)))
    case 0xA0...0xBF: return .string(Int(type & 0x1F))
    case 0xC0: return .null
    case 0xC2: return .bool(false)
    case 0xC3: return .bool(true)
    case 0xC4: return .data(try count(1))
    case 0xC5: return .data(try count(2))
    case 0xC6: return .data(try count(4))
    case 0xC7: return .data(try extended(count(1)))
    case 0xC8: return .data(try extended(count(2)))
    case 0xC9: return .data(try extended(count(4)))
    case 0xCA: return .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(4)))))
    case 0xCB: return .double(Double(bitPattern: try number(8)))
    case 0xCC: return .integer(Int64(try number(1)))
    case 0xCD: return .integer(Int64(try number(2)))
    case 0xCE: return .integer(Int64(try number(4)))
    case 0xCF:
      let value = try number(8)
      return Int64(exactly: value).map(Token.integer) ?? .double(Double(value))
    case 0xD0: return .integer(Int64(Int8(truncatingIfNeeded: try number(1))))
    case 0xD1: return .integer(Int64(Int16(truncatingIfNeeded: try number(2))))
    case 0xD2: return .integer(Int64(Int32(truncatingIfNeeded: try number(4))))
    case 0xD3: return .integer(Int64(bitPattern: try number(8)))
    case 0xD4...0xD8: return .data(try extended(1 << Int(type - 0xD4)))
    case 0xD9: return .string(try count(1))
    case 0xDA: return .string(try count(2))
    case 0xDB: return .string(try count(4))
    case 0xDC: return .array(try promised(number(2)))
    case 0xDD: return .array(try promised(number(4)))
    case 0xDE: return .map(try promised(number(2), each: 2))
    case 0xDF: return .map(try promised(number(4), each: 2))
    case 0xE0...0xFF: return .integer(Int64(Int8(bitPattern: type)))
    default: throw failure(at: start)
    }
  }

  /// A number of so many bytes, the most significant first.
  private mutating func number(_ width: Int) throws(HubProtocolError) -> UInt64 {
    try take(width).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func count(_ width: Int) throws(HubProtocolError) -> Int {
    Int(try number(width))
  }

  /// Drops the type of an extension.
  private mutating func extended(_ count: Int) throws(HubProtocolError) -> Int {
    _ = try take(1)
    return count
  }

  /// The count of a container that the bytes left can hold.
  private mutating func promised(_ count: UInt64, each: Int = 1) throws(HubProtocolError) -> Int {
    let count = Int(count)
    owed += count * each
    guard owed <= bytes.endIndex - index else { throw failure(at: index) }
    return count
  }

  private mutating func take(_ count: Int) throws(HubProtocolError) -> ArraySlice<UInt8> {
    guard count <= bytes.endIndex - index else { throw failure(at: index) }
    defer { index += count }
    return bytes[index..<(index + count)]
  }
}
