/// A mail, or a part of one: its header, and its body as it was written.
struct MailEntity {
  let header: MailHeader
  let body: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) throws(MailReportError) {
    (header, body) = try MailHeader.read(bytes)
  }

  /// In small letters, e.g. `multipart/report`.
  var type: String {
    guard let value = header.text("Content-Type") else { return "text/plain" }
    return value.prefix { $0 != ";" && !$0.isWhitespace && $0 != "(" }.lowercased()
  }

  /// A parameter of the type (RFC 2045, section 5.1): a token, or quoted.
  func parameter(_ name: String) -> String? {
    guard let value = header.text("Content-Type") else { return nil }
    var rest = value.drop { $0 != ";" }
    while let next = rest.first {
      guard next == ";" else {
        rest = rest.dropFirst().drop { $0 != ";" }
        continue
      }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      let found = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(found.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      let text: String
      (text, rest) = Self.value(rest)
      if found.lowercased().split(whereSeparator: \.isWhitespace).joined() == name { return text }
    }
    return nil
  }

  private static func value(_ text: Substring) -> (String, Substring) {
    guard text.first == "\"" else {
      let token = text.prefix { $0 != ";" && !$0.isWhitespace }
      return (String(token), text.dropFirst(token.count))
    }
    var value = ""
    var isEscaped = false
    var rest = text.dropFirst()
    while let next = rest.first {
      rest = rest.dropFirst()
      if isEscaped {
        value.append(next)
        isEscaped = false
      } else if next == "\\" {
        isEscaped = true
      } else if next == "\"" {
        break
      } else {
        value.append(next)
      }
    }
    return (value, rest)
  }

  /// The body without its transfer encoding (RFC 2045, section 6).
  var decodedBody: ArraySlice<UInt8> {
    switch header.text("Content-Transfer-Encoding")?.lowercased() {
    case "base64": TransferDecoding.base64(body)[...]
    case "quoted-printable": TransferDecoding.quotedPrintable(body)[...]
    default: body
    }
  }
}

/// The parts of a multipart body (RFC 2046, section 5.1).
enum MultipartBody {
  /// Each part's bytes. The last one may lack its end.
  static func parts(of body: ArraySlice<UInt8>, boundary: String) throws(MailReportError) -> [ArraySlice<UInt8>] {
    let delimiter = Array("--\(boundary)".utf8)
    guard (3...202).contains(delimiter.count) else { return [] }
    var parts: [ArraySlice<UInt8>] = []
    var start: Int?
    var line = body.startIndex
    while line < body.endIndex {
      let end = body[line...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? body.endIndex
      if let isLast = isDelimiter(body[line..<end], delimiter) {
        if let start { parts.append(body[start..<withoutLineEnd(line, of: body, from: start)]) }
        start = isLast ? nil : end
        guard parts.count <= MailReport.maximumParts else { throw .tooManyParts(limit: MailReport.maximumParts) }
        if isLast { return parts }
      }
      line = end
    }
    if let start { parts.append(body[start...]) }
    return parts
  }

  /// Nil for any other line; whether it is the last one.
  private static func isDelimiter(_ line: ArraySlice<UInt8>, _ delimiter: [UInt8]) -> Bool? {
    guard line.starts(with: delimiter) else { return nil }
    var rest = line.dropFirst(delimiter.count)
    while let last = rest.last, last == 0x0a || last == 0x0d || last == 0x20 || last == 0x09 { rest = rest.dropLast() }
    return rest.isEmpty ? false : rest.elementsEqual([UInt8(ascii: "-"), UInt8(ascii: "-")]) ? true : nil
  }

  /// The line break before a delimiter belongs to it.
  private static func withoutLineEnd(_ end: Int, of body: ArraySlice<UInt8>, from start: Int) -> Int {
    var end = end
    for byte in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] where end > start && body[end - 1] == byte { end -= 1 }
    return end
  }
}
