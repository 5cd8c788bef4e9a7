public import Logging
public import ServiceLifecycle

/// An HTTP client for a request now and then, over HTTP/2 or HTTP/1.1 as the server has it. ``HTTP2Client`` is for very many.
///
/// Certificates are always verified, redirects are answers, no proxy is taken from the environment, nothing is retried.
public final class HTTPClient: Service, Sendable {
  private let engine: HTTPEngine

  public init(configuration: HTTPClientConfiguration, logger: Logger) {
    engine = HTTPEngine(configuration, logger: logger)
  }

  /// Waits for graceful shutdown or cancellation, then closes. Who sends a request or two closes by itself.
  public func run() async throws {
    do {
      try await gracefulShutdown()
    } catch {
      // Cancelled: the same end.
    }
    await close()
  }

  /// The server's answer, whatever its status. Cancelling the caller ends the request at once.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try Self.check(request)
    let exchange = try await engine.begin(request, isHandedOn: false)
    defer { engine.end(exchange) }
    _ = try await engine.next(of: exchange)
    return try await engine.response(of: exchange)
  }

  /// The server's answer, the body of a 2xx handed on in pieces as they come, of whatever size in all; nothing more is read while
  /// a piece is worked on. Any other answer's body is collected, and none is handed on.
  ///
  /// The timeout is for the first piece, and then for each that follows; the time that `take` takes does not count. The
  /// connection is its own, and closed at the end.
  ///
  /// - Parameter take: False when it wants no more, which ends the request.
  /// - Returns: The answer, without the body that was handed on.
  /// - Throws: ``TransportError``, also where the connection is lost on the way, and whatever `take` throws.
  public func download(
    _ request: HTTPRequest,
    _ take: ([UInt8]) async throws -> Bool
  ) async throws -> HTTPResponse {
    try Self.check(request)
    let exchange = try await engine.begin(request, isHandedOn: true)
    defer { engine.end(exchange) }
    while let piece = try await engine.next(of: exchange), try await take(piece) {}
    return try await engine.response(of: exchange)
  }

  /// Ends requests in flight and closes the connections.
  public func close() async {
    await engine.close()
  }

  /// Fails on what would end up as another request than was meant, naming the part and never its value.
  private static func check(_ request: HTTPRequest) throws(TransportError) {
    guard !request.method.isEmpty, request.method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
    else {
      throw .invalid("method")
    }
    let scheme = ["https://", "http://"].first { request.url.lowercased().hasPrefix($0) }
    guard let scheme, request.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }),
      !request.url.dropFirst(scheme.count).prefix(while: { $0 != "/" }).contains("@")
    else { throw .invalid("url") }
    try HTTPFieldRules.check(request.headers + request.ownHeaders)
  }
}
