import Glibc
import NIOCore

extension TestConnection {
  struct Response: Sendable {
    var status: Int
    var head: String
    var bytes: [UInt8]

    var body: String { String(decoding: bytes, as: UTF8.self) }

    /// The values of a header, in order.
    func values(_ name: String) -> [String] {
      head.split(separator: "\r\n").dropFirst().compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts[0].lowercased() == name.lowercased() else { return nil }
        return parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
      }
    }
  }

  func request(
    _ method: String,
    _ target: String,
    token: String? = nil,
    headers: [String: String] = [:],
    body: String = ""
  ) async throws -> Response {
    try await sendRequest(method, target, token: token, headers: headers, body: Array(body.utf8))
    return try await response()
  }

  /// Sends a request whose answer is to be waited for with ``response()``.
  func sendRequest(
    _ method: String,
    _ target: String,
    token: String? = nil,
    headers: [String: String] = [:],
    body: [UInt8] = []
  ) async throws {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: hub.test\r\n"
    if headers["Content-Length"] == nil { text += "Content-Length: \(body.count)\r\n" }
    if let token { text += "Authorization: Bearer \(token)\r\n" }
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    try await send(Array((text + "\r\n").utf8) + body)
  }

  func upgrade(_ target: String, token: String? = nil, headers: [String: String] = [:]) async throws -> Response {
    try await sendUpgrade(target, token: token, headers: headers)
    return try await response()
  }

  func sendUpgrade(_ target: String, token: String? = nil, headers: [String: String] = [:]) async throws {
    var text = "GET \(target) HTTP/1.1\r\nHost: hub.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    text += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    text += "Sec-WebSocket-Extensions: permessage-deflate\r\n"
    if let token { text += "Authorization: Bearer \(token)\r\n" }
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    try await send(text + "\r\n")
  }

  /// The next response; of one without a length, an event stream's, only the head.
  func response() async throws -> Response {
    try await wait { buffer in
      var rest = buffer
      guard let head = rest.readParagraph() else { return nil }
      var response = Response(status: Int(head.split(separator: " ")[1]) ?? 0, head: head, bytes: [])
      let length = response.values("Content-Length").first.flatMap { Int($0) } ?? 0
      guard let body = rest.readBytes(length: length) else { return nil }
      response.bytes = body
      buffer = rest
      return response
    }
  }

  // MARK: Server-Sent Events

  /// The next bytes, as they are.
  func bytes(_ count: Int) async throws -> [UInt8] {
    try await wait { $0.readableBytes >= count ? $0.readBytes(length: count) : nil }
  }

  /// The next event's hub message, without its separator.
  func event() async throws -> String {
    let text = try await wait { $0.readParagraph() }
    guard text.hasPrefix("data: "), text.hasSuffix("\u{1E}") else { throw Unexpected(what: text) }
    return String(text.dropFirst(6).dropLast())
  }
}

extension ByteBuffer {
  /// Takes what is before the first empty line, and the line.
  fileprivate mutating func readParagraph() -> String? {
    // Byte by byte in Swift, large events would take seconds.
    let length = withUnsafeReadableBytes { bytes -> Int? in
      guard let start = bytes.baseAddress else { return nil }
      var place = 0
      while let found = memchr(start + place, 13, bytes.count - place) {
        place = UnsafeRawPointer(found) - start
        if bytes.count - place >= 4, memcmp(found, "\r\n\r\n", 4) == 0 { return place }
        place += 1
      }
      return nil
    }
    guard let length, let text = readString(length: length) else { return nil }
    moveReaderIndex(forwardBy: 4)
    return text
  }
}
