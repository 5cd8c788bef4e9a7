/// `tag=value; tag=value`, as DKIM and DMARC write their records (RFC 6376, section 3.2).
struct TagList {
  private var values: [String: String] = [:]
  /// The first tag, which says what the record is.
  let first: String?

  /// Nil where the text is no such list, or has a tag twice.
  init?(_ text: String) {
    var first: String?
    for part in text.split(separator: ";") {
      let trimmed = Self.trimmed(part)
      if trimmed.isEmpty { continue }
      guard let equals = trimmed.firstIndex(of: "=") else { return nil }
      let name = Self.trimmed(trimmed[..<equals])
      guard !name.isEmpty, values[name] == nil else { return nil }
      values[name] = Self.trimmed(trimmed[trimmed.index(after: equals)...])
      if first == nil { first = name }
    }
    self.first = first
  }

  subscript(_ name: String) -> String? { values[name] }

  private static func trimmed(_ text: Substring) -> String { trimmed(String(text)) }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}
