/// Follows a JSON object that comes in pieces of any size: whether it has ended, and what some of its members are. It keeps no more
/// than these, and does not check what is between.
struct JSONObjectScanner {
  private enum Place {
    case beforeObject
    /// At the depth of the object's own members: before or in a name, or behind one.
    case name
    case value
    case afterObject
    /// It is no object, or something follows it.
    case elsewhere
  }

  private let wanted: Set<String>
  /// The members that were wanted and have come whole, as JSON.
  private(set) var captured: [String: [UInt8]] = [:]

  private var place = Place.beforeObject
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var name: [UInt8] = []
  /// What has come of a wanted member's value.
  private var value: [UInt8]?

  /// - Parameter names: Of members of the object itself.
  init(capturing names: Set<String> = []) {
    wanted = names
  }

  /// Whether the object is whole, and alone.
  var hasEnded: Bool { place == .afterObject }

  mutating func take(_ piece: some Sequence<UInt8>) {
    for byte in piece { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    if isInString { return string(byte) }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): value?.append(byte)
    case UInt8(ascii: "\""): begin()
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
    case UInt8(ascii: ",") where depth == 1: endMember()
    case UInt8(ascii: ":") where depth == 1 && place == .name:
      place = .value
      value = wanted.contains(String(decoding: name, as: UTF8.self)) ? [] : nil
    default: other(byte)
    }
  }

  private mutating func begin() {
    guard depth > 0 else { return place = .elsewhere }
    isInString = true
    if place == .name { name = [] } else { value?.append(UInt8(ascii: "\"")) }
  }

  private mutating func string(_ byte: UInt8) {
    let ends = byte == UInt8(ascii: "\"") && !isEscaped
    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    isInString = !ends
    if place != .name { value?.append(byte) } else if !ends { name.append(byte) }
  }

  private mutating func open(_ byte: UInt8) {
    if depth == 0 {
      // Only what has not begun may begin.
      place = place == .beforeObject && byte == UInt8(ascii: "{") ? .name : .elsewhere
    } else {
      value?.append(byte)
    }
    depth += 1
  }

  private mutating func close(_ byte: UInt8) {
    depth -= 1
    if depth > 0 { return other(byte) }
    guard depth == 0, byte == UInt8(ascii: "}"), place != .elsewhere else { return place = .elsewhere }
    endMember()
    place = .afterObject
  }

  private mutating func endMember() {
    if let value { captured[String(decoding: name, as: UTF8.self)] = Self.trimmed(value) }
    value = nil
    if place == .value { place = .name }
  }

  private mutating func other(_ byte: UInt8) {
    if depth == 0 { place = .elsewhere }
    value?.append(byte)
  }

  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    let blanks = Set(" \n\r\t".utf8)
    return Array(bytes.drop(while: blanks.contains).reversed().drop(while: blanks.contains).reversed())
  }
}
