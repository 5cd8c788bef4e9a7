public import Logging
public import ServiceLifecycle

/// An HTTP/2 client for very many requests to one server, which must speak HTTP/2 over TLS.
///
/// Certificates are always verified, redirects are answers, no proxy is taken from the environment, nothing is
/// retried but what a server that says goodbye declares not to have processed.
///
/// It may be used as soon as it is made; `run` closes it at the end.
public final class HTTP2Client: Service {
  private let origin: HTTP2Origin
  private let engine: HTTP2Engine
  private let timeout: Duration

  /// - Parameters:
  ///   - origin: `https://host` or `https://host:port`, without a slash at the end.
  ///   - onGoodbye: Is told what the server says when it ends a connection. It must not block.
  /// - Throws: `invalidRequest` if the origin is none.
  public init(
    origin: String,
    configuration: HTTPClientConfiguration,
    logger: Logger,
    onGoodbye: (@Sendable (HTTP2Goodbye) -> Void)? = nil
  ) throws(TransportError) {
    guard let origin = HTTP2Origin(origin) else { throw .invalid("origin") }
    self.origin = origin
    engine = HTTP2Engine(origin, configuration, logger: logger, onGoodbye: onGoodbye)
    timeout = configuration.timeout
  }

  /// Whether a text is an origin as `init` takes it.
  public static func isOrigin(_ text: String) -> Bool { HTTP2Origin(text) != nil }

  /// The origin of an `https://` address; nil if it has none.
  public static func origin(of url: String) -> String? {
    let scheme = "https://"
    guard url.lowercased().hasPrefix(scheme) else { return nil }
    let origin = String(url.prefix(scheme.count) + url.dropFirst(scheme.count).prefix { $0 != "/" })
    return isOrigin(origin) ? origin : nil
  }

  /// Waits for graceful shutdown or cancellation, then closes.
  public func run() async throws {
    do {
      try await gracefulShutdown()
    } catch {
      // Cancelled: the same end.
    }
    await close()
  }

  /// The server's answer, whatever its status. Cancelling the caller ends the request, and its stream, at once.
  ///
  /// - Parameter request: Its URL begins with the client's origin.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard origin.path(of: request.url) != nil else { throw .invalid("url") }
    return try await engine.send(request, timeout: request.timeout ?? timeout)
  }

  /// Lets the connection by which the answer came take no further requests: the next ones go over others. It does nothing if that is
  /// gone.
  public func replaceConnection(of response: HTTPResponse) {
    if let number = response.connection { engine.replaceConnection(number) }
  }

  /// Refuses new requests, waits for those in flight, then closes the connections. Cancelling the caller ends them at once.
  public func close() async {
    await engine.close()
  }
}
