import NIOCore
import NIOHTTP1

/// Carries the requests of one HTTP/2 stream or HTTP/1.1 connection to the responder, on the event loop.
final class FCMHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Larger bodies are refused; an acceptable message is far smaller.
  static let maximumBody = 64 * 1_024

  private let responder: FCMResponder
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLarge = false

  init(responder: FCMResponder) {
    self.responder = responder
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
      isTooLarge = false
    case .body(let part):
      isTooLarge = isTooLarge || body.count + part.readableBytes > Self.maximumBody
      if !isTooLarge { body.append(contentsOf: part.readableBytesView) }
    case .end:
      guard let head else { return }
      self.head = nil
      handle(head, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  // MARK: Answering

  private func handle(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let request = FCMRequest(
      isPost: head.method == .POST,
      path: String(head.uri.prefix { $0 != "?" }),
      authorization: head.headers.first(name: "authorization"),
      body: isTooLarge ? nil : body
    )
    let (reply, delay) = responder.respond(to: request)
    guard delay > .zero else { return send(reply, to: head, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
      guard context.channel.isActive else { return }
      self.send(reply, to: head, context)
    }
  }

  private func send(_ reply: FCMReply, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    switch reply {
    case .answer(let status, let body, let retryAfter):
      var headers = HTTPHeaders()
      headers.add(name: "content-type", value: "application/json; charset=UTF-8")
      headers.add(name: "content-length", value: "\(body.count)")
      if let retryAfter { headers.add(name: "retry-after", value: "\(retryAfter)") }
      let answer = HTTPResponseHead(version: head.version, status: .init(statusCode: status), headers: headers)
      context.write(wrapOutboundOut(.head(answer)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      if head.version.major < 2, !head.isKeepAlive { context.close(promise: nil) }
    case .fault(.hang): break
    case .fault(.disconnect): (context.channel.parent ?? context.channel).close(promise: nil)
    case .fault: context.close(promise: nil)
    }
  }
}
