/// The fields of one header (RFC 5322, section 2.2), or of one block of a report. Values are unfolded; bytes that are no UTF-8 are
/// replaced.
struct MailHeader {
  static let maximumFields = 1_000
  /// Of one value, in bytes; the rest is not read.
  static let maximumValue = 10_000

  private var fields: [(name: String, value: String)] = []

  var isEmpty: Bool { fields.isEmpty }

  /// The first field of that name.
  func text(_ name: String) -> String? {
    let name = name.lowercased()
    return fields.first { $0.name == name }?.value
  }

  private func texts(_ name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name == name }.map(\.value)
  }

  /// The addresses in all fields of that name, without angle brackets.
  func addresses(_ name: String) -> [String] { texts(name).flatMap(MailAddressText.all(in:)) }

  /// An identifier without angle brackets; nil for what is none.
  func identifier(_ name: String) -> String? {
    guard let text = text(name) else { return nil }
    let inner = text.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    let found = inner.isEmpty ? text.prefix { !$0.isWhitespace } : inner
    return found.isEmpty || found.utf8.count > 998 ? nil : String(found)
  }

  /// Reads up to the first empty line, or to a line that is no field.
  ///
  /// - Returns: The fields, and what follows.
  static func read(_ bytes: ArraySlice<UInt8>) throws(MailReportError) -> (header: MailHeader, rest: ArraySlice<UInt8>)
  {
    var header = MailHeader()
    var name: String?
    var value: [UInt8] = []
    var line = bytes.startIndex
    func finish() {
      if let name { header.fields.append((name, text(of: value))) }
    }
    while line < bytes.endIndex {
      let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      let next = end < bytes.endIndex ? end + 1 : end
      var content = bytes[line..<end]
      if content.last == UInt8(ascii: "\r") { content = content.dropLast() }
      if content.isEmpty {
        finish()
        return (header, bytes[next...])
      }
      if content.first == 0x20 || content.first == 0x09 {
        // A folded line goes on; before the first field it is nothing.
        if name != nil { value += content.prefix(max(0, maximumValue - value.count)) }
      } else if let colon = fieldName(content) {
        finish()
        guard header.fields.count < maximumFields else { throw .tooManyHeaders(limit: maximumFields) }
        name = String(decoding: content[..<colon], as: UTF8.self).lowercased()
        value = Array(content[(colon + 1)...].prefix(maximumValue))
      } else if name == nil, header.isEmpty, content.starts(with: Array("From ".utf8)) {
        // What mail servers write before a mail in a pipe or a file.
      } else {
        finish()
        return (header, bytes[line...])
      }
      line = next
    }
    finish()
    return (header, bytes[bytes.endIndex...])
  }

  /// The blocks of fields of a report's body, which empty lines part (RFC 3464, section 2.1). What is no field ends it.
  static func blocks(of bytes: ArraySlice<UInt8>) throws(MailReportError) -> [MailHeader] {
    var blocks: [MailHeader] = []
    var rest = bytes
    while !rest.isEmpty, blocks.count <= MailReport.maximumRecipients {
      let (header, next) = try read(rest)
      if !header.isEmpty { blocks.append(header) }
      guard next.startIndex > rest.startIndex else { break }
      rest = next
    }
    return blocks
  }

  /// Index of the colon after a field's name: visible characters (RFC 5322, section 3.6.8), with blanks before the colon at most.
  private static func fieldName(_ line: ArraySlice<UInt8>) -> Int? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex, colon - line.startIndex <= 100,
      line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else { return nil }
    return colon
  }

  private static func text(of value: [UInt8]) -> String {
    let text = String(decoding: value, as: UTF8.self)
    let visible = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    let start = visible.drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}

/// Mail addresses in the values of header fields.
enum MailAddressText {
  /// Those of a list such as `Ann <ann@example.com>, ben@example.com`; whatever is none is left out.
  static func all(in text: String) -> [String] {
    text.split(separator: ",").prefix(100).compactMap { entry in
      let inner = entry.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
      return plain(inner.isEmpty ? entry : inner)
    }
  }

  /// The address of a typed one (RFC 3464, section 2.1.2; RFC 6533, section 3), e.g. `rfc822; ann@example.com`.
  static func typed(_ text: String) -> String? {
    guard let semicolon = text.firstIndex(of: ";") else { return nil }
    let type = text[..<semicolon].filter { !$0.isWhitespace }.lowercased()
    let rest = text[text.index(after: semicolon)...]
    switch type {
    case "rfc822": return all(in: String(rest)).first
    case "utf-8": return all(in: unescaped(rest)).first
    default: return nil
    }
  }

  private static func plain(_ text: some StringProtocol) -> String? {
    let address = text.split(whereSeparator: \.isWhitespace)
    guard address.count == 1, let found = address.first, found.utf8.count <= 320,
      found.count(where: { $0 == "@" }) == 1, found.first != "@", found.last != "@"
    else { return nil }
    return String(found)
  }

  /// `\x{…}` stands for a character (RFC 6533, section 3).
  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let start = rest.firstRange(of: "\\x{") {
      result += rest[..<start.lowerBound]
      let digits = rest[start.upperBound...].prefix { $0 != "}" }
      let end = rest.index(start.upperBound, offsetBy: digits.count)
      guard end < rest.endIndex, digits.count <= 6, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      else {
        return result + rest[start.lowerBound...]
      }
      result.unicodeScalars.append(scalar)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
