import NIOCore

/// The server's end of a WebSocket: hands what comes to its connection, and answers pings and closes itself.
///
/// The only handler of its channel once HTTP has left: see ``HubConnection/carrierClosed()``.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// The connection, which a taken-up WebSocket may have on another event loop.
  private let connection: ConnectionReference
  private let maximumFrameSize: Int
  private var reader = WebSocketFrameReader()
  /// The client has broken the rules of frames, or has sent its close frame: what follows is not read.
  private var isDeaf = false
  private var isReading = false

  init(_ connection: ConnectionReference, maximumFrameSize: Int) {
    self.connection = connection
    self.maximumFrameSize = maximumFrameSize
  }

  func channelInactive(context: ChannelHandlerContext) {
    connection.carrierClosed()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    connection.carrierEnded()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    connection.setBlocked(!context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Handlers of HTTP that are about to leave hear of the end first, and may hand on what they still have.
    guard context.channel.isActive else { return connection.carrierClosed() }
    guard !isDeaf else { return }
    reader.append(unwrapInboundIn(data).readableBytesView)
    // When a write fails, NIO reads what is left before it closes: from within the answer to a frame.
    guard !isReading else { return }
    isReading = true
    defer { isReading = false }
    do throws(WebSocketFrameReader.Violation) {
      while !isDeaf, let frame = try reader.next(limit: maximumFrameSize) { take(frame, context) }
    } catch {
      // The answer to the hub's goodbye cannot be read either: the connection ends when the client does, or by time.
      isDeaf = true
      connection.refuse(error)
    }
  }

  private func take(_ frame: WebSocketFrameReader.Frame, _ context: ChannelHandlerContext) {
    switch frame.opcode {
    case .text, .binary, .continuation:
      connection.receive(frame.payload)
    case .ping:
      // A ping counts as a message.
      connection.receive([])
      // Of many pings the last one may be answered alone (section 5.5.3): nothing piles up for who does not read.
      guard context.channel.isWritable, !connection.hasSaidGoodbye else { return }
      connection.reply(WebSocketFrames.pong(frame.payload), on: context.channel)
    case .close:
      // Either the answer to ours, or to be answered; then the connection is over.
      isDeaf = true
      // A status is two bytes (section 5.5.1).
      let code: UInt16 = frame.payload.count == 1 ? 1002 : 1000
      if !connection.hasSaidGoodbye { connection.reply(WebSocketFrames.close(code: code), on: context.channel) }
      connection.clientClosed()
      context.close(promise: nil)
    case .pong:
      break
    }
  }
}
