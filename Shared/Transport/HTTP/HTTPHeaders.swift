/// The header fields of an answer, decoded when asked for.
public struct HTTPHeaders: Sendable {
  /// Field lines as received, each with its line end.
  private let lines: [UInt8]

  init(lines: [UInt8]) {
    self.lines = lines
  }

  /// The value of the first field of that name, upper and lower case being the same, without surrounding blanks.
  public func first(_ name: String) -> String? {
    let wanted = name.utf8
    for line in lines.split(separator: newline) {
      guard line.count > wanted.count, line[line.startIndex + wanted.count] == colon,
        zip(line, wanted).allSatisfy({ lowercased($0) == lowercased($1) })
      else { continue }
      let value = line.dropFirst(wanted.count + 1).drop(while: isBlank)
      let end = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? value.startIndex
      return String(decoding: value[..<end], as: UTF8.self)
    }
    return nil
  }

  /// Every field with its value as ``first(_:)`` gives it, in the order in which they came.
  public var all: [(name: String, value: String)] {
    lines.split(separator: newline).compactMap { line in
      guard let end = line.firstIndex(of: colon) else { return nil }
      let value = line[(end + 1)...].drop(while: isBlank)
      let last = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? value.startIndex
      return (String(decoding: line[..<end], as: UTF8.self), String(decoding: value[..<last], as: UTF8.self))
    }
  }

  private func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private var newline: UInt8 { UInt8(ascii: "\n") }
  private var colon: UInt8 { UInt8(ascii: ":") }
}
