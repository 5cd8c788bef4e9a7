import NIOCore

/// What the responders need to know of an HTTP request.
struct FCMRequest: Sendable {
  /// Larger bodies are refused; an acceptable message is far smaller.
  static let maximumBody = 64 * 1_024

  enum Method: String, Sendable {
    case post = "POST"
    case delete = "DELETE"
  }

  /// Nil for every other.
  var method: Method?
  /// Without the query, and not decoded.
  var path: String
  var query: String
  var authorization: String?
  /// Nil if it was too large to be read.
  var body: [UInt8]?

  /// - Parameter target: Path and query, as in the request line or `:path`.
  init(method: String = "POST", target: String, authorization: String? = nil, body: [UInt8]? = []) {
    self.method = Method(rawValue: method)
    let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    path = String(target[..<end])
    query = String(target[end...].dropFirst())
    self.authorization = authorization
    self.body = body
  }

  /// Adds a part of the body, unless it becomes too large.
  mutating func append(_ part: ByteBuffer) {
    guard let length = body?.count, length + part.readableBytes <= Self.maximumBody else { return body = nil }
    body?.append(contentsOf: part.readableBytesView)
  }
}
