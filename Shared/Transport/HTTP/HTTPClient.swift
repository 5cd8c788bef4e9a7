import AsyncHTTPClient
public import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
public import ServiceLifecycle

/// An HTTP client for a request now and then, over HTTP/2 or HTTP/1.1 as the server has it. ``HTTP2Client`` is for very many.
///
/// Certificates are always verified, redirects are answers, no proxy is taken from the environment, nothing is retried.
public final class HTTPClient: Service, Sendable {
  private let client: AsyncHTTPClient.HTTPClient
  private let configuration: HTTPClientConfiguration

  public init(configuration: HTTPClientConfiguration, logger: Logger) {
    var settings = AsyncHTTPClient.HTTPClient.Configuration(redirectConfiguration: .disallow)
    settings.timeout.connect = TimeAmount(configuration.connectTimeout)
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maximumConnectionsPerHost
    settings.connectionPool.retryConnectionEstablishment = false
    if let caFile = configuration.caFile {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(caFile)
      settings.tlsConfiguration = tls
    }
    client = AsyncHTTPClient.HTTPClient(configuration: settings, backgroundActivityLogger: logger)
    self.configuration = configuration
  }

  deinit {
    // async-http-client insists; closed before, it does nothing.
    client.shutdown { _ in }
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
    try await collected(try await begin(request))
  }

  /// The server's answer, the body of a 2xx handed on in pieces as they come, of whatever size in all; nothing more is read while
  /// a piece is worked on. Any other answer's body is collected, and none is handed on.
  ///
  /// - Parameter take: False when it wants no more, which ends the request.
  /// - Returns: The answer, without the body that was handed on.
  /// - Throws: ``TransportError``, also where the connection is lost on the way, and whatever `take` throws.
  public func download(
    _ request: HTTPRequest,
    _ take: ([UInt8]) async throws -> Bool
  ) async throws -> HTTPResponse {
    let answer = try await begin(request)
    guard (200..<300).contains(answer.status.code) else { return try await collected(answer) }
    var refusal: (any Error)?
    do {
      for try await piece in answer.body {
        do {
          guard try await take(Array(piece.readableBytesView)) else { break }
        } catch {
          refusal = error
          break
        }
      }
    } catch {
      throw TransportError.asyncHTTPClient(error)
    }
    if let refusal { throw refusal }
    return HTTPResponse(answer, body: [])
  }

  private func begin(_ request: HTTPRequest) async throws(TransportError) -> HTTPClientResponse {
    try Self.check(request)
    var wire = HTTPClientRequest(url: request.url)
    wire.method = HTTPMethod(rawValue: request.method)
    wire.headers = NIOHTTP1.HTTPHeaders(request.headers)
    if !request.body.isEmpty || request.method == "POST" { wire.body = .bytes(ByteBuffer(bytes: request.body)) }
    do {
      return try await client.execute(wire, timeout: TimeAmount(request.timeout ?? configuration.timeout))
    } catch {
      throw TransportError.asyncHTTPClient(error)
    }
  }

  private func collected(_ answer: HTTPClientResponse) async throws(TransportError) -> HTTPResponse {
    do {
      let body = try await answer.body.collect(upTo: configuration.maximumResponseBody)
      return HTTPResponse(answer, body: Array(body.readableBytesView))
    } catch {
      throw TransportError.asyncHTTPClient(error)
    }
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
    try HTTPFieldRules.check(request.headers)
  }

  /// Ends requests under way and closes the connections.
  public func close() async {
    do {
      try await client.shutdown()
    } catch {
      // Closed already, which is what was asked for.
    }
  }
}

extension HTTPResponse {
  fileprivate init(_ answer: HTTPClientResponse, body: [UInt8]) {
    self.init(
      status: Int(answer.status.code),
      headers: HTTPHeaders(lines: answer.headers.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) }),
      body: body,
      httpVersion: answer.version.major == 2 ? "2" : "\(answer.version.major).\(answer.version.minor)"
    )
  }
}
