import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client takes too long, or whose address has too many.
///
/// Its timer never has to move: it looks again after the shortest of the timeouts, so that a request costs no scheduling.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let counts: ConnectionCounts
  private var deadlines: RequestDeadlines
  private var admitted: ClientNetwork?
  private var timer: Scheduled<Void>?

  init(_ limits: ConnectionLimits, counts: ConnectionCounts) {
    self.counts = counts
    deadlines = RequestDeadlines(limits, connectedAt: .now())
  }

  func channelActive(context: ChannelHandlerContext) {
    let network = ClientNetwork(context.remoteAddress)
    guard counts.admit(network) else { return context.close(promise: nil) }
    admitted = network
    watch(context)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    if let admitted { counts.release(admitted) }
    admitted = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: deadlines.receivedHead(at: .now())
    case .body: break
    case .end: deadlines.receivedEnd(at: .now())
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { deadlines.answered(at: .now()) }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    look(context)
    context.fireChannelWritabilityChanged()
  }

  private func look(_ context: ChannelHandlerContext) {
    guard let progress = TCPProgress(of: context.channel) else { return }
    deadlines.look(waiting: progress.waiting, taken: progress.taken, at: .now())
  }

  private func watch(_ context: ChannelHandlerContext) {
    let now = NIODeadline.now()
    let next = min(deadlines.deadline ?? .distantFuture, now + deadlines.shortest)
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
      self.timer = nil
      self.look(context)
      if let deadline = self.deadlines.deadline, deadline <= .now() {
        context.close(promise: nil)
      } else {
        self.watch(context)
      }
    }
  }
}
