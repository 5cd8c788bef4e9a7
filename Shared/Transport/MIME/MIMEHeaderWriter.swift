/// Writes a message's header fields, folded, and lets nothing through that would start another field.
struct MIMEHeaderWriter {
  private(set) var lines: [UInt8] = []

  /// RFC 5322 section 2.1.1: lines should have 78 characters at most (76 with encoded words) and must have 998.
  private let preferredLength = 76
  private let maximumLength = 998

  /// A value of our own making.
  mutating func append(_ name: String, verbatim value: String) {
    lines += "\(name): \(value)\r\n".utf8
  }

  /// Free text: as it is when ASCII, else as encoded words.
  mutating func append(_ name: String, text: String) throws(TransportError) {
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }) else {
      throw .invalid("header name")
    }
    try check(name, text)
    if isASCII(text) && !text.contains("=?") {
      try fold(name, text.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    } else {
      try fold(name, EncodedWords.encode(text))
    }
  }

  mutating func append(_ name: String, _ mailbox: MIMEAddress) throws(TransportError) {
    try check(name, mailbox.name ?? "")
    let forbidden = Set("<>,;:\"()[]\\".utf8)
    let parts = mailbox.address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
      mailbox.address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !forbidden.contains($0) })
    else { throw .invalid(name) }
    guard let display = mailbox.name, !display.isEmpty else {
      return try fold(name, [mailbox.address])
    }
    if isASCII(display) {
      let escaped = display.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      let words = "\"\(escaped)\"".split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      try fold(name, words + ["<\(mailbox.address)>"])
    } else {
      try fold(name, EncodedWords.encode(display) + ["<\(mailbox.address)>"])
    }
  }

  mutating func append(_ name: String, identifier: String) throws(TransportError) {
    let bare =
      identifier.hasPrefix("<") && identifier.hasSuffix(">") ? String(identifier.dropFirst().dropLast()) : identifier
    guard bare.contains("@"),
      bare.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") })
    else { throw .invalid(name) }
    try fold(name, ["<\(bare)>"])
  }

  /// Line breaks would end the field, NUL the text in many readers, and other controls have no business in a header.
  private func check(_ name: String, _ value: String) throws(TransportError) {
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }) else { throw .invalid(name) }
  }

  private func isASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Joins the words with blanks, breaking the line before a word that would be too long.
  private mutating func fold(_ name: String, _ words: [String]) throws(TransportError) {
    var line = "\(name):"
    for (index, word) in words.enumerated() {
      // A folded line of blanks only would look like the end of the header.
      if index > 0, !word.isEmpty, line.utf8.count + 1 + word.utf8.count > preferredLength, line.last != " " {
        lines += "\(line)\r\n".utf8
        line = ""
      }
      line += " \(word)"
      guard line.utf8.count <= maximumLength else { throw .invalid(name) }
    }
    lines += "\(line)\r\n".utf8
  }
}
