import NIOCore

/// The server's end of an event stream: it only notices when the client goes.
///
/// The only handler of its channel once HTTP has left: see ``HubConnection/carrierClosed()``.
final class EventStreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connection: ConnectionReference

  init(_ connection: ConnectionReference) {
    self.connection = connection
  }

  func channelInactive(context: ChannelHandlerContext) {
    connection.carrierClosed()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    connection.carrierEnded()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Whatever a client sends after its request means nothing.
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    connection.setBlocked(!context.channel.isWritable)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
