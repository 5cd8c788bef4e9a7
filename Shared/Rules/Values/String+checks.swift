extension String {
  /// Whether the text has a control character (Unicode category Cc).
  var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }

  /// The beginning, for messages that name what somebody else wrote.
  var excerpt: String { String(unicodeScalars.prefix(64)) }
}
