/// The quoted-printable encoding of RFC 2045 section 6.7: text stays readable, lines have at most 76 characters.
enum QuotedPrintable {
  /// Line breaks of any kind become CRLF.
  static func encode(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8(encode)
  }

  /// By bytes in memory: mails are long by their HTML.
  private static func encode(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count + source.count / 8 + 16)
    var column = 0
    var index = 0
    while index < source.count {
      let byte = source[index]
      index += 1
      let next = index < source.count ? source[index] : lf
      if byte == cr || byte == lf {
        if byte == cr, index < source.count, next == lf { index += 1 }
        bytes.append(cr)
        bytes.append(lf)
        column = 0
        continue
      }
      let isBeforeBreak = next == cr || next == lf
      let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      let isLiteral = isBlank ? !isBeforeBreak : byte > 0x20 && byte < 0x7f && byte != equals
      let width = isLiteral ? 1 : 3
      if column + width > (isBeforeBreak ? 76 : 75) {
        bytes.append(equals)
        bytes.append(cr)
        bytes.append(lf)
        column = 0
      }
      if isLiteral { bytes.append(byte) } else { bytes += escape(byte) }
      column += width
    }
    return bytes
  }

  /// `=` and two hexadecimal digits.
  static func escape(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [equals, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")
  private static let equals = UInt8(ascii: "=")
}
