import Transport

/// Sends requests to one server: what a provider needs of ``HTTP2Client``.
protocol HTTPSender: Sendable {
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

extension HTTP2Client: HTTPSender {}
