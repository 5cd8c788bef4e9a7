public import BelfryJSON

/// Writes MessagePack straight into bytes, each value in its shortest form.
///
/// The caller writes as many values after a header as it has promised. Source: github.com/msgpack/msgpack, spec.md.
public struct MessagePackWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  // MARK: Containers

  /// Begins an array of so many values.
  public mutating func arrayHeader(_ count: Int) {
    header(count, fixed: 0x90, below: 16, two: 0xDC, four: 0xDD)
  }

  /// Begins a map of so many pairs: a key and a value each.
  public mutating func mapHeader(_ count: Int) {
    header(count, fixed: 0x80, below: 16, two: 0xDE, four: 0xDF)
  }

  // MARK: Values

  public mutating func null() {
    bytes.append(0xC0)
  }

  public mutating func bool(_ value: Bool) {
    bytes.append(value ? 0xC3 : 0xC2)
  }

  public mutating func integer(_ value: Int) {
    integer(Int64(value))
  }

  public mutating func integer(_ value: Int64) {
    if value >= 0 { return integer(UInt64(value)) }
    switch value {
    case -32..<0: bytes.append(UInt8(bitPattern: Int8(value)))
    case Int64(Int8.min)..<0: append(0xD0, UInt8(bitPattern: Int8(value)))
    case Int64(Int16.min)..<0: append(0xD1, UInt16(bitPattern: Int16(value)))
    case Int64(Int32.min)..<0: append(0xD2, UInt32(bitPattern: Int32(value)))
    default: append(0xD3, UInt64(bitPattern: value))
    }
  }

  public mutating func integer(_ value: UInt64) {
    switch value {
    case 0..<0x80: bytes.append(UInt8(value))
    case 0...UInt64(UInt8.max): append(0xCC, UInt8(value))
    case 0...UInt64(UInt16.max): append(0xCD, UInt16(value))
    case 0...UInt64(UInt32.max): append(0xCE, UInt32(value))
    default: append(0xCF, value)
    }
  }

  /// Always in double precision, as .NET writes it.
  public mutating func double(_ value: Double) {
    append(0xCB, value.bitPattern)
  }

  public mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      header(utf8.count, fixed: 0xA0, below: 32, one: 0xD9, two: 0xDA, four: 0xDB)
      bytes.append(contentsOf: utf8)
    }
  }

  public mutating func data(_ data: [UInt8]) {
    header(data.count, one: 0xC4, two: 0xC5, four: 0xC6)
    bytes.append(contentsOf: data)
  }

  /// Appends bytes that are MessagePack already.
  public mutating func raw(_ messagePack: [UInt8]) {
    bytes.append(contentsOf: messagePack)
  }

  public mutating func value(_ value: HubValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .double(let value): double(value)
    case .string(let value): string(value)
    case .data(let value): data(value)
    case .array(let values):
      arrayHeader(values.count)
      for value in values { self.value(value) }
    case .object(let members):
      mapHeader(members.count)
      for member in members {
        string(member.name)
        self.value(member.value)
      }
    }
  }

  /// Writes what JSON says: whole numbers of 64 bits, with sign or without, as such, others in floating point.
  ///
  /// A number too large for that, e.g. `1e999`, becomes the string of its digits: nobody loses a message for it.
  public mutating func value(_ json: JSONValue) {
    switch json {
    case .null: null()
    case .boolean(let value): bool(value)
    case .number(let text):
      if let value = Int64(text) {
        integer(value)
      } else if let value = UInt64(text) {
        integer(value)
      } else if let value = Double(text), value.isFinite {
        double(value)
      } else {
        string(text)
      }
    case .string(let value): string(value)
    case .array(let elements):
      arrayHeader(elements.count)
      for element in elements { value(element) }
    case .object(let members):
      mapHeader(members.count)
      for member in members {
        string(member.name)
        value(member.value)
      }
    }
  }

  /// Writes a number in floating point, a whole one too: whoever expects a fraction may take no integer. All else as it is.
  public mutating func amount(_ json: JSONValue) {
    if let number = json.double, number.isFinite { double(number) } else { value(json) }
  }

  // MARK: Parts

  /// Writes a type with a count: in one byte if it is small and the type has such a form, else behind its own byte.
  private mutating func header(
    _ count: Int,
    fixed: UInt8 = 0,
    below limit: Int = 0,
    one: UInt8? = nil,
    two: UInt8,
    four: UInt8
  ) {
    if count < limit {
      bytes.append(fixed | UInt8(count))
    } else if let one, count <= Int(UInt8.max) {
      append(one, UInt8(count))
    } else if count <= Int(UInt16.max) {
      append(two, UInt16(count))
    } else {
      append(four, UInt32(count))
    }
  }

  private mutating func append(_ type: UInt8, _ value: some FixedWidthInteger) {
    bytes.append(type)
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
