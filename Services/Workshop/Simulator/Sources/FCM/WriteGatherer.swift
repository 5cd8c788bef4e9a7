import NIOCore

/// Hands on what is written until a flush as one piece, so that TLS makes one record of it, as a large server does. NIO
/// writes each HTTP/2 frame by itself; as so many records they would cost either end several system calls a request.
final class WriteGatherer: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What a TLS record holds.
  private static let fullSize = 16_384

  private var gathered: ByteBuffer?
  private var promise: EventLoopPromise<Void>?

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    var part = unwrapOutboundIn(data)
    if let waiting = gathered, waiting.readableBytes + part.readableBytes > Self.fullSize { handOn(context) }
    if gathered?.writeBuffer(&part) == nil { gathered = part }
    guard let promise else { return }
    if let first = self.promise { first.futureResult.cascade(to: promise) } else { self.promise = promise }
  }

  func flush(context: ChannelHandlerContext) {
    handOn(context)
    context.flush()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    handOn(context)
    context.close(mode: mode, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    promise?.fail(ChannelError.ioOnClosedChannel)
    promise = nil
  }

  private func handOn(_ context: ChannelHandlerContext) {
    guard let gathered else { return }
    context.write(wrapOutboundOut(gathered), promise: promise)
    self.gathered = nil
    promise = nil
  }
}
