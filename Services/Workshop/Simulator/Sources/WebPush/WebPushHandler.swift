import NIOCore
import NIOHTTP1

/// Carries the pushes of one HTTP/1.1 connection to the responder, on the event loop.
final class WebPushHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let responder: WebPushResponder
  private var head: HTTPRequestHead?
  private var request = ReceivedRequest(path: "", headers: [])

  init(responder: WebPushResponder) {
    self.responder = responder
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      request = ReceivedRequest(
        method: head.method.rawValue,
        path: head.uri,
        headers: head.headers.map { (name: $0.name.lowercased(), value: $0.value) }
      )
    case .body(let part): request.append(part)
    case .end:
      guard let head else { return }
      self.head = nil
      let (reply, delay) = responder.respond(to: request)
      guard delay > .zero else { return send(reply, to: head, context) }
      context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
        guard context.channel.isActive else { return }
        self.send(reply, to: head, context)
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func send(_ reply: WebPushReply, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    switch reply {
    case .answer(let status, let body, _, _, _):
      var headers = HTTPHeaders()
      for (name, value) in reply.headers { headers.add(name: name, value: value) }
      let answer = HTTPResponseHead(version: head.version, status: .init(statusCode: status), headers: headers)
      context.write(wrapOutboundOut(.head(answer)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      if !head.isKeepAlive { context.close(promise: nil) }
    case .fault(.hang): break
    case .fault: context.close(promise: nil)
    }
  }
}
