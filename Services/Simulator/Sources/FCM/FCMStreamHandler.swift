import NIOCore
import NIOHPACK
import NIOHTTP2

/// Carries the request of one HTTP/2 stream to the responder, on the event loop.
///
/// An answer tells its length, and its last frame ends the stream. Without the one or the other, libcurl 7.88 resets every
/// stream after its end.
final class FCMStreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let responder: FCMResponder
  private var request = FCMRequest(path: "")

  init(responder: FCMResponder) {
    self.responder = responder
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let frame):
      request = FCMRequest(
        isPost: frame.headers.first(name: ":method") == "POST",
        path: String((frame.headers.first(name: ":path") ?? "").prefix { $0 != "?" }),
        authorization: frame.headers.first(name: "authorization"),
        body: []
      )
      if frame.endStream { respond(context) }
    case .data(let frame):
      if case .byteBuffer(let part) = frame.data { request.append(part) }
      if frame.endStream { respond(context) }
    default: context.fireChannelRead(data)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func respond(_ context: ChannelHandlerContext) {
    let (reply, delay) = responder.respond(to: request)
    guard delay > .zero else { return send(reply, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
      guard context.channel.isActive else { return }
      self.send(reply, context)
    }
  }

  private func send(_ reply: FCMReply, _ context: ChannelHandlerContext) {
    switch reply {
    case .answer(let status, let body, let retryAfter):
      var headers = HPACKHeaders([(":status", "\(status)"), ("content-type", FCMReply.contentType)])
      headers.add(name: "content-length", value: "\(body.count)")
      if let retryAfter { headers.add(name: "retry-after", value: "\(retryAfter)") }
      context.write(wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
      let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer(bytes: body)), endStream: true)
      context.writeAndFlush(wrapOutboundOut(.data(data)), promise: nil)
    case .fault(.hang): break
    case .fault(.disconnect): (context.channel.parent ?? context.channel).close(promise: nil)
    case .fault: context.close(promise: nil)
    }
  }
}
