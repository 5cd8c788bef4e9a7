extension String {
  /// Whether the text has a control character (Unicode category Cc: U+0000 to U+001F and U+007F to U+009F).
  ///
  /// Looks at the bytes, because it runs for every field of every request and Unicode's tables are slow.
  ///
  /// - Parameter allowed: ASCII characters that do not count.
  public func hasControl(except allowed: Set<Unicode.Scalar> = []) -> Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      // In UTF-8, U+0080 to U+009F are 0xC2 and a byte of the same value.
      if byte < 0x20 || byte == 0x7F || previous == 0xC2 && (0x80...0x9F).contains(byte),
        byte >= 0x80 || !allowed.contains(Unicode.Scalar(byte))
      {
        return true
      }
      previous = byte
    }
    return false
  }

  /// Line breaks and tabs, which longer texts may have.
  static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
}

extension String {
  /// What is wrong with the text's length, in words for its sender; nil if it has at most `limit` characters.
  ///
  /// Bytes have a limit too, four for each character: one letter may stand under any number of accents.
  public func lengthProblem(limit: Int) -> String? {
    let bytes = utf8.count
    if bytes > 4 * limit { return "has \(bytes) bytes; at most \(4 * limit) are allowed" }
    // There are at least as many bytes as characters, and they are counted at once.
    if bytes > limit, count > limit { return "has \(count) characters; at most \(limit) are allowed" }
    return nil
  }

  /// The text's beginning, at most 256 bytes: for messages that name what somebody else wrote.
  var excerpt: String { String(unicodeScalars.prefix(64)) }
}
