import Foundation

/// What a mail says to people (RFC 2045 and 2046): its first plain text and its first HTML, UTF-8 both.
struct MailContent: Equatable {
  private(set) var text: String?
  private(set) var html: String?

  /// Deep enough for `multipart/mixed` around `multipart/alternative`; whoever sends more means mischief.
  private static let maximumDepth = 4

  init(_ message: [UInt8]) {
    read(message[...], depth: 0)
  }

  private mutating func read(_ part: ArraySlice<UInt8>, depth: Int) {
    let headers = MailHeaders(message: Array(part))
    let body = Self.body(of: part)
    let type = headers["Content-Type"] ?? "text/plain"
    let kind = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    if kind.hasPrefix("multipart/") {
      guard depth < Self.maximumDepth, let boundary = Self.boundary(type) else { return }
      for piece in Self.parts(of: body, boundary: boundary) { read(piece, depth: depth + 1) }
    } else if kind == "text/plain", text == nil {
      text = Self.decode(body, headers["Content-Transfer-Encoding"])
    } else if kind == "text/html", html == nil {
      html = Self.decode(body, headers["Content-Transfer-Encoding"])
    }
  }

  private static func body(of part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = Array("\r\n\r\n".utf8)
    // A part without header fields begins with the empty line.
    if part.starts(with: end.prefix(2)) { return part.dropFirst(2) }
    return part.firstRange(of: end).map { part[$0.upperBound...] } ?? []
  }

  private static func boundary(_ type: String) -> String? {
    type.firstMatch(of: /(?i)boundary="?([^";]+)"?/).map { String($0.1) }
  }

  private static func parts(of body: ArraySlice<UInt8>, boundary: String) -> [ArraySlice<UInt8>] {
    // The line end before a boundary belongs to it, and the first one may stand at the very beginning.
    let delimiter = Array("\r\n--\(boundary)".utf8)
    var rest = Array("\r\n".utf8) + body
    var parts: [ArraySlice<UInt8>] = []
    guard let preamble = rest.firstRange(of: delimiter) else { return [] }
    rest.removeSubrange(..<preamble.upperBound)
    while !rest.starts(with: "--".utf8), let end = rest.firstRange(of: delimiter) {
      parts.append(Array(rest[..<end.lowerBound].drop { $0 != UInt8(ascii: "\n") }.dropFirst())[...])
      rest.removeSubrange(..<end.upperBound)
    }
    return parts
  }

  private static func decode(_ body: ArraySlice<UInt8>, _ encoding: String?) -> String {
    switch encoding?.trimmingCharacters(in: .whitespaces).lowercased() {
    case "quoted-printable": String(decoding: quotedPrintable(body), as: UTF8.self)
    case "base64":
      Data(base64Encoded: Data(body), options: .ignoreUnknownCharacters).map { String(decoding: $0, as: UTF8.self) }
        ?? ""
    default: String(decoding: body, as: UTF8.self)
    }
  }

  private static func quotedPrintable(_ body: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(body.count)
    var rest = body
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "=") else {
        decoded.append(byte)
        continue
      }
      if rest.starts(with: "\r\n".utf8) {
        rest = rest.dropFirst(2)
      } else if let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }
}
