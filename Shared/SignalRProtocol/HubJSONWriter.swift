/// Writes JSON straight into bytes; control characters are escaped, so the record separator never appears inside.
public struct HubJSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  /// Appends text that is JSON already.
  public mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes that are JSON already.
  public mutating func raw(_ json: [UInt8]) {
    bytes.append(contentsOf: json)
  }

  public mutating func integer(_ value: some FixedWidthInteger) {
    bytes.append(contentsOf: String(value).utf8)
  }

  public mutating func bool(_ value: Bool) {
    if value { raw("true") } else { raw("false") }
  }

  public mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: raw("\\n")
      case 0x0D: raw("\\r")
      case 0x09: raw("\\t")
      case 0..<0x20:
        raw("\\u00")
        bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        bytes.append(Self.hexadecimal[Int(byte & 0x0F)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  public mutating func stringOrNull(_ text: String?) {
    if let text { string(text) } else { raw("null") }
  }

  public mutating func value(_ value: HubValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    // JSON has no infinity and no NaN.
    case .double(let value): if value.isFinite { bytes.append(contentsOf: "\(value)".utf8) } else { raw("null") }
    case .string(let value): string(value)
    case .array(let values): array(values)
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (position, member) in members.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        string(member.name)
        bytes.append(UInt8(ascii: ":"))
        self.value(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  public mutating func array(_ values: [HubValue]) {
    bytes.append(UInt8(ascii: "["))
    for (position, value) in values.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      self.value(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
}
