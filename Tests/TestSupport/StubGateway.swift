import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A gateway that answers what a test says, over a real connection, and remembers what it was asked.
package final class StubGateway: Sendable {
  package struct Question: Sendable {
    package fileprivate(set) var method = ""
    /// With the query, as it came.
    package fileprivate(set) var path = ""
    package fileprivate(set) var headers: [String: String] = [:]
    package fileprivate(set) var body = ""

    /// `GET /path`
    package var line: String { "\(method) \(path)" }
  }

  package struct Answer: Sendable {
    fileprivate var status: Int
    fileprivate var body: String
    fileprivate var headers: [String: String]
    fileprivate var breaksOff: Bool

    /// - Parameters:
    ///   - headers: Beside those that every answer has.
    ///   - breaksOff: The connection ends after the body although more was announced.
    package init(
      status: Int = 200,
      body: String = "{}",
      headers: [String: String] = [:],
      breaksOff: Bool = false
    ) {
      self.status = status
      self.body = body
      self.headers = headers
      self.breaksOff = breaksOff
    }
  }

  private let reply: @Sendable (Question) -> Answer
  private let questions = Mutex<[Question]>([])
  private let bound = Mutex(0)

  private init(_ reply: @escaping @Sendable (Question) -> Answer) {
    self.reply = reply
  }

  package var url: String { "http://127.0.0.1:\(bound.withLock { $0 })" }

  /// What was asked so far, in order.
  package var asked: [Question] { questions.withLock { $0 } }

  package static func with(
    _ reply: @escaping @Sendable (Question) -> Answer,
    _ body: (StubGateway) async throws -> Void
  ) async throws {
    let stub = StubGateway(reply)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { client in
        client.pipeline.configureHTTPServerPipeline().flatMapThrowing {
          try client.pipeline.syncOperations.addHandler(Handler(stub))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    stub.bound.withLock { $0 = listener.localAddress?.port ?? 0 }
    do {
      try await body(stub)
    } catch {
      try await listener.close()
      throw error
    }
    try await listener.close()
  }

  fileprivate func answer(_ question: Question) -> Answer {
    questions.withLock { $0.append(question) }
    return reply(question)
  }
}

/// Collects a request, and answers it.
private final class Handler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let stub: StubGateway
  private var question = StubGateway.Question()

  init(_ stub: StubGateway) {
    self.stub = stub
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      question = StubGateway.Question(method: head.method.rawValue, path: head.uri)
      for (name, value) in head.headers { question.headers[name.lowercased()] = value }
    case .body(let part): question.body += String(buffer: part)
    case .end: answer(context)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    let answer = stub.answer(question)
    let length = answer.body.utf8.count + (answer.breaksOff ? 1 : 0)
    var headers = HTTPHeaders([("Content-Type", "application/json")])
    for (name, value) in answer.headers { headers.add(name: name, value: value) }
    if answer.status != 204 { headers.add(name: "Content-Length", value: "\(length)") }
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if answer.status != 204 {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
    }
    guard answer.breaksOff else { return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
    context.flush()
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
