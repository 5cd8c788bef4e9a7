/// Takes off transfer encodings (RFC 2045, section 6), reading on over whatever is none of theirs.
enum TransferDecoding {
  static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (rest, count) = (UInt32(0), 0)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count * 3 / 4)
    for byte in bytes {
      if byte == UInt8(ascii: "=") { break }
      guard let value = value(byte) else { continue }
      rest = rest << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        decoded.append(UInt8(truncatingIfNeeded: rest >> UInt32(count)))
      }
    }
    return decoded
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      let rest = bytes[(index + 1)...]
      if byte == UInt8(ascii: "="), rest.starts(with: [0x0a]) {
        index += 2
      } else if byte == UInt8(ascii: "="), rest.starts(with: [0x0d, 0x0a]) {
        index += 3
      } else if byte == UInt8(ascii: "="), rest.count >= 2, let high = digit(rest[index + 1]),
        let low = digit(rest[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(byte)
        index += 1
      }
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
