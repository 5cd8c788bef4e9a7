extension String {
  /// The text without what would break a line, steer a terminal, put words in another order than they are in, or stand there unseen:
  /// control characters (Unicode category Cc), line and paragraph separators, bidirectional controls, and what has neither width nor
  /// meaning by itself (but for the joiners, which letters and emoji need) are written as `\n`, `\r`, `\t` or `\u{…}`. Anybody may publish, so anybody's text may be shown or logged.
  ///
  /// - Parameter allowed: Such characters that stay.
  public func escapedForTerminal(except allowed: Set<Unicode.Scalar> = []) -> String {
    // Most texts have none, and each line of a log asks.
    guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case _ where !scalar.steersTerminal || allowed.contains(scalar): text.unicodeScalars.append(scalar)
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }

  /// A JSON text without the same: written as JSON's own `\u0085`, so that who reads it as JSON reads what was there. Line feeds,
  /// carriage returns and tabs, which a JSON text has between values alone, stay.
  public func jsonEscapedForTerminal() -> String {
    guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case _ where !scalar.steersTerminal, "\n", "\r", "\t": text.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }
}

extension Unicode.Scalar {
  /// All in the basic plane, so that four digits name them. Those of `Cc`, `Zl` and `Zp`, those that have the property `Bidi_Control`, and invisible
  /// ones: soft hyphen, zero-width space, word joiner and the operators after it, byte order mark.
  fileprivate var steersTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
    case 0xAD, 0x200B, 0x2060...0x2064, 0xFEFF: true
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
