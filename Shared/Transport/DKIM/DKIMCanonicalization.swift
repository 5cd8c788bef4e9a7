/// The forms of headers and body that are signed: `relaxed` of RFC 6376, section 3.4. They survive servers that fold lines anew or
/// drop blanks at their ends.
enum DKIMCanonicalization {
  /// A message's header fields, each with its continuation lines and without its last line end, and what follows the empty line.
  static func parts(of message: [UInt8]) -> (headers: [ArraySlice<UInt8>], body: ArraySlice<UInt8>) {
    var headers: [ArraySlice<UInt8>] = []
    var start = 0
    while let end = lineEnd(in: message, from: start) {
      if end == start { return (headers, message[(end + 2)...]) }
      if isBlank(message[start]), let last = headers.last {
        headers[headers.count - 1] = message[last.startIndex..<end]
      } else {
        headers.append(message[start..<end])
      }
      start = end + 2
    }
    if start < message.count { headers.append(message[start...]) }
    return (headers, [])
  }

  /// A header's name, in lower case.
  static func name(of header: ArraySlice<UInt8>) -> String {
    var name: [UInt8] = []
    for byte in header.prefix(while: { $0 != UInt8(ascii: ":") }) where !isBlank(byte) {
      name.append(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte)
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Name in lower case, no blanks around the colon, one line, one blank for several, none at the end; without a line end.
  static func header(_ header: ArraySlice<UInt8>) -> [UInt8] {
    guard let colon = header.firstIndex(of: UInt8(ascii: ":")) else { return Array(header) }
    var bytes = Array(name(of: header).utf8)
    bytes.reserveCapacity(header.count)
    bytes.append(UInt8(ascii: ":"))
    let start = bytes.count
    var isBlankDue = false
    for byte in header[(colon + 1)...] {
      if isBlank(byte) {
        isBlankDue = true
      } else if byte != cr, byte != lf {
        if isBlankDue, bytes.count > start { bytes.append(space) }
        isBlankDue = false
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// One blank for several, none at the ends of lines, no empty lines at the end, and a line end where there is anything.
  static func body(_ body: ArraySlice<UInt8>) -> [UInt8] {
    // Byte by byte into memory that is there: all of a mail goes this way, beside a signature that takes a quarter of a millisecond.
    body.withUnsafeBufferPointer { body in
      // A bare LF becomes two bytes.
      Array(unsafeUninitializedCapacity: 2 * body.count + 2) { bytes, count in
        // Line ends and blanks are written once something follows them.
        var (written, lineEnds, isBlankDue) = (0, 0, false)
        func write(_ byte: UInt8) {
          bytes[written] = byte
          written += 1
        }
        for byte in body {
          switch byte {
          case cr: continue
          case lf: (lineEnds, isBlankDue) = (lineEnds + 1, false)
          case space, tab: isBlankDue = true
          default:
            while lineEnds > 0 {
              write(cr)
              write(lf)
              lineEnds -= 1
            }
            if isBlankDue { write(space) }
            isBlankDue = false
            write(byte)
          }
        }
        if written > 0 {
          write(cr)
          write(lf)
        }
        count = written
      }
    }
  }

  /// Where the line that begins at `start` ends: the index of its CR.
  private static func lineEnd(in message: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 1 < message.count {
      if message[index] == cr, message[index + 1] == lf { return index }
      index += 1
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")
}
