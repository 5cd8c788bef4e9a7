import NIOCore

/// What the responder needs to know of an HTTP request.
struct FCMRequest: Sendable {
  /// Larger bodies are refused; an acceptable message is far smaller.
  static let maximumBody = 64 * 1_024

  var isPost = true
  /// Without the query.
  var path: String
  var authorization: String?
  /// Nil if it was too large to be read.
  var body: [UInt8]?

  /// Adds a part of the body, unless it becomes too large.
  mutating func append(_ part: ByteBuffer) {
    guard let length = body?.count, length + part.readableBytes <= Self.maximumBody else { return body = nil }
    body?.append(contentsOf: part.readableBytesView)
  }
}
