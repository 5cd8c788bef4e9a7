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
