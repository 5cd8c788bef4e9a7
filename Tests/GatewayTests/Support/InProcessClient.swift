import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import Gateway

/// Asks a responder as the server does, without one: no socket, no second thread.
struct InProcessClient: Sendable {
  private let respond: @Sendable (Request, GatewayContext) async throws -> Response
  private let logger: Logger

  init(_ responder: some HTTPResponder<GatewayContext>, logger: Logger) {
    respond = { try await responder.respond(to: $0, context: $1) }
    self.logger = logger
  }

  /// The answer; 500 where the responder throws, as the server has it.
  ///
  /// - Parameter uri: Path and query.
  func execute(
    uri: String,
    method: HTTPRequest.Method,
    headers: HTTPFields = [:],
    body: ByteBuffer? = nil
  ) async throws -> Answer {
    var headers = headers
    if let body { headers[.contentLength] = "\(body.readableBytes)" }
    let request = Request(
      head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers),
      body: RequestBody(asyncSequence: Self.pieces(of: body))
    )
    var logger = logger
    logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
    let context = GatewayContext(source: .init(channel: NIOAsyncTestingChannel(), logger: logger))
    let response: Response
    do {
      response = try await respond(request, context)
    } catch {
      response = Response(status: .internalServerError)
    }
    let collector = Collector()
    try await response.body.write(collector)
    return Answer(status: response.status, headers: response.headers, body: await collector.bytes.whole)
  }

  /// Of 32 KiB at most, as they come from a socket.
  private static func pieces(of body: ByteBuffer?) -> AsyncStream<ByteBuffer> {
    var rest = body ?? ByteBuffer()
    let (pieces, source) = AsyncStream.makeStream(of: ByteBuffer.self)
    while let piece = rest.readSlice(length: min(32 * 1_024, rest.readableBytes)), piece.readableBytes > 0 {
      source.yield(piece)
    }
    source.finish()
    return pieces
  }

  private struct Collector: ResponseBodyWriter {
    actor Bytes {
      private(set) var whole = ByteBuffer()

      func append(_ piece: ByteBuffer) { whole.writeImmutableBuffer(piece) }
    }

    let bytes = Bytes()

    func write(_ buffer: ByteBuffer) async throws { await bytes.append(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) {}
  }
}
