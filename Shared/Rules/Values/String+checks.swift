extension String {
  /// Whether the text has a control character (Unicode category Cc).
  var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }

  /// The same, of texts that may have several lines and tabs.
  var hasControlCharactersOtherThanLineBreaks: Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      // In UTF-8, U+0080 to U+009F are 0xC2 and a byte of the same value.
      if byte < 0x20 && !(0x09...0x0A).contains(byte) && byte != 0x0D || byte == 0x7F
        || previous == 0xC2 && (0x80...0x9F).contains(byte)
      {
        return true
      }
      previous = byte
    }
    return false
  }

  /// The beginning, for messages that name what somebody else wrote.
  var excerpt: String { String(unicodeScalars.prefix(64)) }
}
