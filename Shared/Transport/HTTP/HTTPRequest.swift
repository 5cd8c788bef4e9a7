/// One request. To an ``HTTP2Client`` equal header arrays in a row are cheap: it keeps their encoded form.
public struct HTTPRequest: Sendable {
  public var method: String

  /// Absolute, `https://` or `http://`, with everything escaped that has to be.
  public var url: String

  public var headers: [(name: String, value: String)]

  /// More of them, that no other request has: an ``HTTP2Client`` keeps them out of the connection's table of headers.
  public var ownHeaders: [(name: String, value: String)]

  public var body: [UInt8]

  /// Overrides the client's timeout.
  public var timeout: Duration?

  public init(
    method: String = "GET",
    url: String,
    headers: [(name: String, value: String)] = [],
    ownHeaders: [(name: String, value: String)] = [],
    body: [UInt8] = [],
    timeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.ownHeaders = ownHeaders
    self.body = body
    self.timeout = timeout
  }
}
