import NIOCore
import TLS

/// Carries one SMTP connection: cuts lines, lets the session decide, writes its replies.
///
/// While an answer is being delayed nothing more is read, so what a client may send ahead is bounded.
final class SMTPHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Bytes of a command or a line of a message, without its end.
  static let maximumLine = 4_096

  private var session: SMTPSession
  private let tls: TLSContext
  private let judge: SMTPSession.Judge
  private let log: MailLog
  private var received = ByteBuffer()
  private var replies = ByteBuffer()
  private var isPaused = false
  private var wantsRead = false
  /// The rest of a line that was too long is being skipped.
  private var isSkipping = false

  init(policy: SMTPPolicy, tls: TLSContext, faults: FaultList, log: MailLog) {
    session = SMTPSession(policy: policy)
    self.tls = tls
    self.log = log
    judge = { recipient, stage in faults.decide(.email, target: recipient, stage: stage) }
  }

  // MARK: Events

  func channelActive(context: ChannelHandlerContext) {
    queue(SMTPSession.greeting)
    flush(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    received.writeBuffer(&bytes)
    process(context)
  }

  func read(context: ChannelHandlerContext) {
    if isPaused { wantsRead = true } else { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is IdleStateHandler.IdleStateEvent:
      queue(SMTPReply(421, "4.4.2", "Idle for too long"))
      flush(context)
      context.close(promise: nil)
    case ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  // MARK: Lines

  private func process(_ context: ChannelHandlerContext) {
    while !isPaused, let outcome = nextOutcome() { apply(outcome, context) }
    if !isPaused { flush(context) }
    received.discardReadBytes()
  }

  /// The session's answer to the next complete line; nil if there is none yet.
  private func nextOutcome() -> SMTPOutcome? {
    while let end = received.readableBytesView.firstIndex(of: 0x0A) {
      let length = end - received.readerIndex
      guard var line = received.readBytes(length: length) else { return nil }
      received.moveReaderIndex(forwardBy: 1)
      let isBare = line.last != 0x0D
      if !isBare { line.removeLast() }
      if isSkipping {
        isSkipping = false
        continue
      }
      guard line.count <= Self.maximumLine else { return session.receiveOverlongLine() }
      if session.mode == .data { return session.receive(dataLine: line, isBare: isBare, judge: judge) }
      return session.receive(line: line, judge: judge)
    }
    guard received.readableBytes > Self.maximumLine + 1 else { return nil }
    received.clear()
    if isSkipping { return nil }
    isSkipping = true
    return session.receiveOverlongLine()
  }

  // MARK: Replies

  private func apply(_ outcome: SMTPOutcome, _ context: ChannelHandlerContext) {
    guard outcome.delay > .zero else { return finish(outcome, context) }
    flush(context)
    isPaused = true
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(outcome.delay)) {
      guard context.channel.isActive else { return }
      self.resume(context)
      self.finish(outcome, context)
      self.process(context)
    }
  }

  private func resume(_ context: ChannelHandlerContext) {
    isPaused = false
    guard wantsRead else { return }
    wantsRead = false
    context.read()
  }

  private func finish(_ outcome: SMTPOutcome, _ context: ChannelHandlerContext) {
    if let mail = outcome.mail { log.accept(mail) }
    if let reply = outcome.reply { queue(reply) }
    switch outcome.next {
    case .proceed: break
    case .startTLS: startTLS(context)
    case .close:
      flush(context)
      isPaused = true
      context.close(promise: nil)
    case .abort:
      isPaused = true
      context.close(promise: nil)
    case .hang:
      flush(context)
      isPaused = true
    }
  }

  /// What the client sent ahead in the clear is thrown away: it would otherwise be taken for something said under TLS.
  private func startTLS(_ context: ChannelHandlerContext) {
    flush(context)
    received.clear()
    session.startedTLS()
    do {
      try context.pipeline.syncOperations.addHandler(TLSServerHandler(tls), position: .first)
    } catch {
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }

  private func queue(_ reply: SMTPReply) {
    log.count(reply.code)
    replies.writeString(reply.text)
  }

  private func flush(_ context: ChannelHandlerContext) {
    guard replies.readableBytes > 0 else { return }
    context.writeAndFlush(wrapOutboundOut(replies), promise: nil)
    replies = ByteBuffer()
  }
}
