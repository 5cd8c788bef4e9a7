/// Builds JSON text piece by piece; the caller sees to it that the pieces fit.
struct JSONBuilder {
  private(set) var bytes: [UInt8] = []
  /// True when the next member or element needs a comma before it.
  private var needsComma = false

  mutating func beginObject(_ name: String? = nil) { open(name, UInt8(ascii: "{")) }
  mutating func endObject() { close(UInt8(ascii: "}")) }
  mutating func beginArray(_ name: String? = nil) { open(name, UInt8(ascii: "[")) }
  mutating func endArray() { close(UInt8(ascii: "]")) }

  mutating func member(_ name: String, _ value: String?) {
    key(name)
    guard let value else { return append(raw: "null") }
    append(quoted: value)
  }

  mutating func member(_ name: String, _ value: Int?) {
    key(name)
    append(raw: value.map { String($0) } ?? "null")
  }

  mutating func member(_ name: String, _ value: Double?) {
    key(name)
    append(raw: value.map { "\($0)" } ?? "null")
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    append(raw: value ? "true" : "false")
  }

  /// A member whose value is JSON text already.
  mutating func member(_ name: String, json: [UInt8]) {
    key(name)
    bytes.append(contentsOf: json)
  }

  mutating func member(_ name: String, _ values: [String]) {
    beginArray(name)
    for value in values {
      separate()
      append(quoted: value)
      needsComma = true
    }
    endArray()
  }

  // MARK: Parts

  private mutating func open(_ name: String?, _ bracket: UInt8) {
    if let name { key(name) } else { separate() }
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func key(_ name: String) {
    separate()
    append(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func append(raw text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: append(raw: "\\n")
      case 0x0D: append(raw: "\\r")
      case 0x09: append(raw: "\\t")
      case 0..<0x20:
        append(raw: "\\u00")
        append(raw: byte < 0x10 ? "0" + String(byte, radix: 16) : String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
