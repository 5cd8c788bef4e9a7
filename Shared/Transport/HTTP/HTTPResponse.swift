/// A complete answer, whatever its status.
public struct HTTPResponse: Sendable {
  public let status: Int
  public let headers: HTTPHeaders
  public let body: [UInt8]

  /// `1.0`, `1.1` or `2`.
  public let httpVersion: String

  /// Of an ``HTTP2Client``: by which of its connections it came.
  var connection: UInt64?
}
