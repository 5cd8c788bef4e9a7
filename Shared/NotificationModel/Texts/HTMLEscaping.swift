/// Texts that stand in HTML.
extension String {
  /// The text as it stands between tags and in quoted attributes. What no document may have (controls but line breaks and tabs) becomes
  /// U+FFFD.
  var htmlEscaped: String {
    // Nearly every text has none of them.
    guard utf8.contains(where: Self.isSpecial) else { return self }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(utf8.count + 32)
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "&"): escaped += "&amp;".utf8
      case UInt8(ascii: "<"): escaped += "&lt;".utf8
      case UInt8(ascii: ">"): escaped += "&gt;".utf8
      case UInt8(ascii: "\""): escaped += "&quot;".utf8
      case UInt8(ascii: "'"): escaped += "&#39;".utf8
      case 0..<0x20 where ![0x09, 0x0A, 0x0D].contains(byte): escaped += "\u{FFFD}".utf8
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
    default: false
    }
  }

  /// The text as a part of a link: all but letters, digits, `-`, `.`, `_` and `~` as `%XX` (RFC 3986, section 2.3). So it is one segment
  /// of a path, or one value of a query.
  var percentEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(utf8.count)
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The same; nil of what no link can have as a part: a browser takes `.` and `..` for steps in the path, however they are encoded.
  var linkPart: String? { self == "." || self == ".." ? nil : percentEncoded }

  /// Whether the text is a link that a mail may have: `https://`, a host, and printable ASCII behind it.
  var isHTTPSLink: Bool {
    guard utf8.count <= 2_000, utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
    let forbidden = Set("\"<>\\^`{|}".utf8)
    guard let host = Self.host(ofLink: self), !utf8.contains(where: forbidden.contains) else { return false }
    return host.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9.\-]*[A-Za-z0-9])?(:[0-9]{1,5})?/) != nil
  }

  /// What stands between `https://` and the next `/`, `?` or `#`; nil of other links.
  static func host(ofLink link: String) -> Substring? {
    guard link.prefix(8).lowercased() == "https://" else { return nil }
    return link.dropFirst(8).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  }
}
