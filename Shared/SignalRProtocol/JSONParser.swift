/// Reads one JSON value (RFC 8259) in a single pass, in time and memory linear in the input.
///
/// Written by hand because it runs on event loops with whatever a client sends: no recursion beyond the limit, no
/// backtracking.
struct JSONParser {
  /// Deeper nesting is refused.
  static let maximumDepth = 64

  private let bytes: ArraySlice<UInt8>
  private var index: Int

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// The value that the bytes hold, surrounded by nothing but white space.
  static func parse(_ bytes: ArraySlice<UInt8>) throws(HubProtocolError) -> HubValue {
    var parser = JSONParser(bytes)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == bytes.endIndex else { throw parser.failure }
    return value
  }

  private var failure: HubProtocolError { .malformedJSON(offset: index - bytes.startIndex) }

  private var current: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func expect(_ byte: UInt8) throws(HubProtocolError) {
    guard current == byte else { throw failure }
    index += 1
  }

  private mutating func value(depth: Int) throws(HubProtocolError) -> HubValue {
    guard depth < Self.maximumDepth else { throw failure }
    skipSpace()
    switch current {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  private mutating func literal(_ text: StaticString, _ value: HubValue) throws(HubProtocolError) -> HubValue {
    let end = index + text.utf8CodeUnitCount
    guard end <= bytes.endIndex,
      bytes[index..<end].elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    else { throw failure }
    index = end
    return value
  }

  private mutating func object(depth: Int) throws(HubProtocolError) -> [HubMember] {
    index += 1
    var members: [HubMember] = []
    skipSpace()
    if current == UInt8(ascii: "}") {
      index += 1
      return members
    }
    while true {
      skipSpace()
      let name = try string()
      skipSpace()
      try expect(UInt8(ascii: ":"))
      members.append(HubMember(name, try value(depth: depth + 1)))
      skipSpace()
      if current == UInt8(ascii: ",") {
        index += 1
        continue
      }
      try expect(UInt8(ascii: "}"))
      return members
    }
  }

  private mutating func array(depth: Int) throws(HubProtocolError) -> [HubValue] {
    index += 1
    var values: [HubValue] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      index += 1
      return values
    }
    while true {
      values.append(try value(depth: depth + 1))
      skipSpace()
      if current == UInt8(ascii: ",") {
        index += 1
        continue
      }
      try expect(UInt8(ascii: "]"))
      return values
    }
  }

  // MARK: Numbers

  private mutating func digits() throws(HubProtocolError) {
    guard let first = current, (0x30...0x39).contains(first) else { throw failure }
    while let byte = current, (0x30...0x39).contains(byte) { index += 1 }
  }

  private mutating func number() throws(HubProtocolError) -> HubValue {
    let start = index
    var isInteger = true
    if current == UInt8(ascii: "-") { index += 1 }
    if current == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      isInteger = false
      index += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      index += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw failure }
    return .double(value)
  }

  // MARK: Strings

  private mutating func string() throws(HubProtocolError) -> String {
    try expect(UInt8(ascii: "\""))
    let start = index
    while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { index += 1 }
    if current == UInt8(ascii: "\"") {
      let text = try text(bytes[start..<index])
      index += 1
      return text
    }
    var unescaped = Array(bytes[start..<index])
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let text = try text(unescaped[...])
        index += 1
        return text
      case UInt8(ascii: "\\"):
        index += 1
        try escape(into: &unescaped)
      case 0x20...:
        unescaped.append(byte)
        index += 1
      default:
        throw failure
      }
    }
    throw failure
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(HubProtocolError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure }
    return text
  }

  private mutating func escape(into text: inout [UInt8]) throws(HubProtocolError) {
    guard let byte = current else { throw failure }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
    default: throw failure
    }
  }

  /// A `\u` escape, or two that form a surrogate pair; half a pair is U+FFFD.
  private mutating func scalar() throws(HubProtocolError) -> Character {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    let afterFirst = index
    if (0xD800..<0xDC00).contains(first), current == UInt8(ascii: "\\") {
      index += 1
      if current == UInt8(ascii: "u") {
        index += 1
        let second = try hexadecimal()
        if (0xDC00..<0xE000).contains(second),
          let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
          return Character(scalar)
        }
      }
    }
    index = afterFirst
    return "\u{FFFD}"
  }

  private mutating func hexadecimal() throws(HubProtocolError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw failure }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
