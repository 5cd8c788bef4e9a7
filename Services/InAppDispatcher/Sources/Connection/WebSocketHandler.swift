import NIOCore
import NIOWebSocket

/// The server's end of a WebSocket: hands what comes to its connection, and answers pings and closes itself.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame

  /// The connection, which a taken-up WebSocket may have on another event loop.
  private let connection: ConnectionReference
  private var isClosing = false

  init(_ connection: ConnectionReference) {
    self.connection = connection
  }

  /// Adds what a WebSocket needs, once HTTP is done.
  static func add(
    to pipeline: ChannelPipeline.SynchronousOperations,
    _ connection: ConnectionReference,
    _ limits: HubLimits
  ) throws {
    try pipeline.addHandler(ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.maximumFrameSize)))
    try pipeline.addHandler(WebSocketHandler(connection))
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    connection.carrierEnded()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? NIOWebSocketError else { return context.close(promise: nil) }
    refuse(code: error == .invalidFrameLength ? 1009 : 1002)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    connection.setBlocked(!context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard !isClosing || frame.opcode == .connectionClose else { return }
    // A client must mask (RFC 6455, section 5.1), and no extension that would use the reserved bits was agreed on.
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return refuse(code: 1002) }
    let payload = frame.unmaskedData
    switch frame.opcode {
    case .text, .binary, .continuation:
      connection.receive(Array(payload.readableBytesView))
    case .ping:
      // It counts as a message.
      connection.receive([])
      // Of many pings the last one may be answered alone (section 5.5.3): nothing piles up for who does not read.
      guard context.channel.isWritable else { return }
      connection.reply(WebSocketFrames.pong(payload.readableBytesView), on: context.channel)
    case .connectionClose:
      // Either the answer to ours, or to be answered; then the connection is over.
      if !connection.hasSaidGoodbye { connection.reply(WebSocketFrames.close(code: 1000), on: context.channel) }
      context.close(promise: nil)
    case .pong:
      break
    default:
      refuse(code: 1002)
    }
  }

  private func refuse(code: UInt16) {
    isClosing = true
    connection.refuse(code: code)
  }
}
