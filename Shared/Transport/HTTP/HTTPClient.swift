public import Logging

/// An HTTP client for many requests at a time: HTTP/2 over TLS, all requests to a host on a few connections; HTTP/1.1 for
/// `http://`.
///
/// Certificates are always verified, redirects are answers, no proxy is taken from the environment. Nothing is retried, with
/// one exception that is libcurl's: a request is sent once more when a kept connection turns out to have been closed before
/// the first byte of the answer.
public final class HTTPClient: Sendable {
  private let engine: HTTPEngine
  private let timeout: Duration

  public init(configuration: HTTPClientConfiguration, logger: Logger) {
    let slots = configuration.maximumConnectionsPerHost * configuration.maximumStreamsPerConnection
    let limits = CurlLimits(
      connectionsPerHost: configuration.maximumConnectionsPerHost,
      streamsPerConnection: configuration.maximumStreamsPerConnection,
      cachedConnections: 4 * configuration.maximumConnectionsPerHost
    )
    engine = HTTPEngine(
      HTTPExchange(configuration),
      limits: limits,
      maximumOutstanding: slots + configuration.maximumWaiting,
      logger: logger
    )
    timeout = configuration.timeout
  }

  /// The server's answer, whatever its status. Cancelling the caller ends the request, and its stream, at once.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await engine.send(request, timeout: request.timeout ?? timeout)
  }

  /// Refuses new requests, waits for those under way, then closes the connections. Cancelling the caller ends them at once.
  public func close() async {
    await engine.close()
  }
}
