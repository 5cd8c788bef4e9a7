/// A server's GOAWAY (RFC 9113, section 6.8): it takes no further requests on a connection.
public struct HTTP2Goodbye: Sendable, Equatable {
  /// 0 for an ordinary end.
  public let code: UInt32
  /// What the server says about it, as a text; of a long one the beginning.
  public let text: String

  static let maximumText = 1_024
}
