/// Reads one JSON text (RFC 8259) into a ``JSONValue``, in a single pass and in time and memory linear in the input.
///
/// Written by hand because it runs for every message: several times faster than Foundation's decoder, and it keeps byte
/// ranges, so that a part can be stored as it came. It also runs on event loops with whatever a client sends: nesting is
/// limited to ``maximumDepth``, and there is no backtracking.
public struct JSONParser {
  public static let maximumDepth = 64

  /// What becomes of half a surrogate pair, e.g. of an emoji that JavaScript cut in two.
  public enum LoneSurrogates: Sendable {
    case refused
    /// By U+FFFD.
    case replaced
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let loneSurrogates: LoneSurrogates
  private var index = 0
  private var depth = 0

  public static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    try parse(bytes[...])
  }

  /// Offsets and ranges count from the slice's start.
  public static func parse(
    _ bytes: ArraySlice<UInt8>,
    loneSurrogates: LoneSurrogates = .refused
  ) throws(JSONSyntaxError) -> JSONValue {
    try bytes.withUnsafeBufferPointer { (bytes) throws(JSONSyntaxError) in
      var parser = JSONParser(bytes: bytes, loneSurrogates: loneSurrogates)
      return try parser.document()
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, loneSurrogates: LoneSurrogates) {
    self.bytes = bytes
    self.loneSurrogates = loneSurrogates
  }

  private mutating func document() throws(JSONSyntaxError) -> JSONValue {
    // A byte order mark may be ignored (RFC 8259, section 8.1); .NET writes one.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    skipWhitespace()
    let value = try value()
    skipWhitespace()
    guard index == bytes.count else { throw failure("Unexpected text after the value") }
    return value
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func failure(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: index) }

  private mutating func skipWhitespace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    switch current {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "t"): return try literal("true", .boolean(true))
    case UInt8(ascii: "f"): return try literal("false", .boolean(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"): return .number(try number())
    case let byte? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): return .number(try number())
    case nil: throw failure("Unexpected end of the text")
    default: throw failure("Expected a value")
    }
  }

  private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    let end = index + text.utf8CodeUnitCount
    guard end <= bytes.count, text.withUTF8Buffer({ bytes[index..<end].elementsEqual($0) }) else {
      throw failure("Expected a value")
    }
    index = end
    return value
  }

  // MARK: Containers

  private mutating func enter() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= Self.maximumDepth else { throw failure("Nested too deeply") }
    index += 1
    skipWhitespace()
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONValue {
    try enter()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    if current == UInt8(ascii: "}") {
      index += 1
      return .object(members)
    }
    while true {
      guard current == UInt8(ascii: "\"") else { throw failure("Expected a member's name") }
      let name = try string()
      skipWhitespace()
      guard current == UInt8(ascii: ":") else { throw failure("Expected ':'") }
      index += 1
      skipWhitespace()
      let start = index
      let value = try value()
      members.append(JSONMember(name: name, value: value, range: start..<index))
      if try !another(before: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  private mutating func array() throws(JSONSyntaxError) -> JSONValue {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    if current == UInt8(ascii: "]") {
      index += 1
      return .array(elements)
    }
    while true {
      elements.append(try value())
      if try !another(before: UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  /// Reads a comma (true) or the end of the container (false).
  private mutating func another(before end: UInt8) throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    if current == end {
      index += 1
      return false
    }
    guard current == UInt8(ascii: ",") else { throw failure("Expected ',' or the end of the container") }
    index += 1
    skipWhitespace()
    return true
  }

  // MARK: Scalars

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = index
    if current == UInt8(ascii: "-") { index += 1 }
    if current == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      index += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = index
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    guard index > start else { throw failure("Expected a digit") }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    index += 1
    let start = index
    var end = start
    var bits: UInt8 = 0
    while end < bytes.count {
      let byte = bytes[end]
      guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
      bits |= byte
      end += 1
    }
    index = end
    switch current {
    case UInt8(ascii: "\""):
      let text = try text(UnsafeBufferPointer(rebasing: bytes[start..<end]), isASCII: bits < 0x80)
      index += 1
      return text
    case UInt8(ascii: "\\"): return try escapedString(from: start)
    case nil: throw failure("Unterminated string")
    default: throw failure("Control character in a string")
    }
  }

  /// ASCII, nearly everything, is UTF-8 without a look: the check takes most of a small message's time.
  private func text(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) throws(JSONSyntaxError) -> String {
    isASCII ? String(decoding: bytes, as: UTF8.self) : try text(bytes)
  }

  private func text(_ bytes: some Collection<UInt8>) throws(JSONSyntaxError) -> String {
    guard let text = String(validUTF8: bytes) else { throw failure("Invalid UTF-8 in a string") }
    return text
  }

  /// The slow way, for strings that hold escapes; `index` is at the first backslash.
  private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var decoded = Array(bytes[start..<index])
    while let byte = current {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(decoded)
      case UInt8(ascii: "\\"): decoded.append(contentsOf: try escape())
      case 0..<0x20: throw failure("Control character in a string")
      default: decoded.append(byte)
      }
    }
    throw failure("Unterminated string")
  }

  private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
    guard let byte = current else { throw failure("Unterminated string") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
    default: throw failure("Unknown escape")
    }
  }

  private mutating func scalar() throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let afterFirst = index
    if UTF16.isLeadSurrogate(first), current == UInt8(ascii: "\\") {
      index += 1
      if current == UInt8(ascii: "u") {
        index += 1
        let second = try hexadecimal()
        if UTF16.isTrailSurrogate(second) { return UTF16.decode(UTF16.EncodedScalar([first, second])) }
      }
    }
    index = afterFirst
    guard loneSurrogates == .replaced else { throw failure("Lone surrogate") }
    return "\u{FFFD}"
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
    let end = index + 4
    guard end <= bytes.count, bytes[index..<end].allSatisfy({ Self.isHexDigit($0) }),
      let unit = UInt16(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16)
    else { throw failure("Expected four hexadecimal digits") }
    index = end
    return unit
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
