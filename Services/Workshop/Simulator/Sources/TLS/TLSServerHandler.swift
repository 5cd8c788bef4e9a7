import NIOCore
import NIOTLS
import TLS

/// TLS of one connection, as a server: the first handler of its pipeline, from the start or when the client asks for it.
///
/// Fires `TLSUserEvent.handshakeCompleted` with what was agreed upon.
final class TLSServerHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let session: TLSSession
  private var isEstablished = false
  /// What waits for a flush, or for the end of the handshake.
  private var waiting = MarkedCircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)>(initialCapacity: 4)

  init(_ context: TLSContext) throws {
    session = try TLSSession.server(context)
  }

  // MARK: In

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    bytes.withUnsafeReadableBytes { session.receive($0) }
    if !isEstablished { shakeHands(context) }
    if isEstablished { decrypt(context, atMost: bytes.readableBytes) }
    // What TLS itself has to say.
    if handOn(context) { context.flush() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    forget()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    forget()
  }

  private func forget() {
    while let (_, promise) = waiting.popFirst() { promise?.fail(ChannelError.ioOnClosedChannel) }
  }

  private func shakeHands(_ context: ChannelHandlerContext) {
    switch session.handshake() {
    case .inProgress: break
    case .failed(let error): fail(context, error)
    case .done(let agreed):
      isEstablished = true
      context.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: agreed))
      encrypt(context)
      context.flush()
    }
  }

  /// - Parameter count: Bytes that came: about as many as there are decrypted.
  private func decrypt(_ context: ChannelHandlerContext, atMost count: Int) {
    var plain = context.channel.allocator.buffer(capacity: count)
    while true {
      var progress = TLSSession.Progress.wouldBlock
      plain.writeWithUnsafeMutableBytes(minimumWritableBytes: 1_024) {
        progress = session.read(into: $0)
        return if case .bytes(let count) = progress { count } else { 0 }
      }
      if case .bytes = progress { continue }
      if plain.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(plain)) }
      switch progress {
      case .bytes, .wouldBlock: return
      case .ended: return close(context: context, mode: .all, promise: nil)
      case .failed(let error): return fail(context, error)
      }
    }
  }

  // MARK: Out

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    waiting.append((unwrapOutboundIn(data), promise))
  }

  func flush(context: ChannelHandlerContext) {
    waiting.mark()
    if isEstablished { encrypt(context) }
    context.flush()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if isEstablished, mode != .input {
      encrypt(context)
      session.finish()
      if handOn(context) { context.flush() }
    }
    context.close(mode: mode, promise: promise)
  }

  private func encrypt(_ context: ChannelHandlerContext) {
    while waiting.hasMark, let (bytes, promise) = waiting.popFirst() {
      guard bytes.withUnsafeReadableBytes({ session.send($0) }) else {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return fail(context, nil)
      }
      if !handOn(context, promise) { promise?.succeed() }
    }
  }

  /// Writes what is for the network; false if there is nothing.
  @discardableResult
  private func handOn(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil) -> Bool {
    let count = session.outgoingCount
    guard count > 0 else { return false }
    var buffer = context.channel.allocator.buffer(capacity: count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { session.collect(into: $0) }
    context.write(wrapOutboundOut(buffer), promise: promise)
    return true
  }

  /// Sends the alert that says why, and closes.
  private func fail(_ context: ChannelHandlerContext, _ error: TLSError?) {
    if handOn(context) { context.flush() }
    if let error { context.fireErrorCaught(error) }
    context.close(promise: nil)
  }
}
