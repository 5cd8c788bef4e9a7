extension String {
  /// The text without what would break a line or steer a terminal: control characters (Unicode category Cc) and line and
  /// paragraph separators are written as `\u{…}`. Anybody may publish, so anybody's text may be shown.
  ///
  /// - Parameter allowed: Such characters that stay.
  func escapedForTerminal(except allowed: Set<Unicode.Scalar> = []) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.value {
      case _ where allowed.contains(scalar): text.unicodeScalars.append(scalar)
      case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
