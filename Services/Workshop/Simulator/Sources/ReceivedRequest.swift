import NIOCore

/// A push as it came over HTTP.
struct ReceivedRequest: Sendable {
  /// Larger bodies are refused without being read; an acceptable one is far smaller.
  static let maximumBody = 64 * 1_024

  var method: String
  /// Path and query.
  var path: String
  /// All others, in the order in which they came, with names in lower case.
  var headers: [(name: String, value: String)]
  /// Nil if it was too large to be read.
  var body: [UInt8]?

  init(method: String = "POST", path: String, headers: [(name: String, value: String)], body: [UInt8]? = []) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }

  /// The first of that name.
  subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// Adds a part of the body, unless it becomes too large.
  mutating func append(_ part: ByteBuffer) {
    guard let length = body?.count, length + part.readableBytes <= Self.maximumBody else { return body = nil }
    body?.append(contentsOf: part.readableBytesView)
  }
}
