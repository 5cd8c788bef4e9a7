import Foundation
import NIOCore
import NIOWebSocket

/// One browser's WebSocket, on the event loop: whole messages, of text.
final class WebPushSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  /// A message.
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = WebSocketFrame

  private let responder: WebPushResponder
  private var link: BrowserConnections.Link?

  init(_ responder: WebPushResponder) {
    self.responder = responder
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    link = BrowserConnections.Link(
      // A write may end the connection at once, which is told to who asked for it: not before it is ready for that.
      send: { message in
        channel.eventLoop.execute { channel.writeAndFlush(ByteBuffer(bytes: message), promise: nil) }
      },
      close: { channel.eventLoop.execute { channel.close(promise: nil) } }
    )
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    // It does not read.
    if !context.channel.isWritable { context.close(promise: nil) }
    context.fireChannelWritabilityChanged()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard context.channel.isActive, let link else { return }
    switch frame.opcode {
    case .text:
      responder.browsers.receive(
        Array(frame.unmaskedData.readableBytesView),
        on: link,
        now: responder.clock().timeIntervalSince1970,
        endpoint: responder.endpoint
      )
    case .ping: write(.pong, frame.unmaskedData, context, promise: nil)
    case .connectionClose:
      // The status comes back.
      var status = frame.unmaskedData
      write(.connectionClose, status.readSlice(length: 2) ?? ByteBuffer(), context, promise: nil)
      context.close(promise: nil)
    case .pong: break
    default: context.close(promise: nil)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let frame = WebSocketFrame(fin: true, opcode: .text, data: unwrapOutboundIn(data))
    context.write(wrapOutboundOut(frame), promise: promise)
  }

  private func write(
    _ opcode: WebSocketOpcode,
    _ payload: ByteBuffer,
    _ context: ChannelHandlerContext,
    promise: EventLoopPromise<Void>?
  ) {
    context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: payload)), promise: promise)
  }

  private func end() {
    guard let link else { return }
    self.link = nil
    responder.browsers.ended(link)
  }
}
