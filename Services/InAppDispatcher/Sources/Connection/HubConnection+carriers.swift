import NIOCore
import SignalRProtocol

/// What takes a connection's bytes to its client, and how it comes and goes.
extension HubConnection {
  var form: WireForm { WireForm(transport, state.hubProtocol) }

  // MARK: Channels

  /// Writes directly to the channel's socket from now on.
  ///
  /// - Parameter written: What the channel was given before.
  func use(_ socket: DirectSocket, of channel: any NIOCore.Channel, after written: EventLoopFuture<Void>) {
    self.socket = socket
    self.socket.beginQueueing()
    queueUntil(written, channel)
  }

  /// The channel has just closed its descriptor, whose number the next connection may get: it is not to be used again.
  ///
  /// NIO calls the handlers within the call that closes. Before them it only fails what waits in the channel, for which
  /// nobody writes anything.
  func carrierClosed() { socket = .none }

  /// Closes the channel; what it has not written is lost.
  func close(_ channel: any NIOCore.Channel) {
    socket = .none
    channel.close(promise: nil)
  }

  /// Whether what is no notification can go straight to the socket: nothing else about the connection need be looked at.
  var isPlain: Bool { socket.isClear && slot != nil && isOpen && extras == nil }

  /// Writes an event to the socket, if the connection is plain and the event no notification.
  ///
  /// - Parameter form: By ``FormSet/index(_:_:)``.
  /// - Returns: False if it is for ``deliver(_:form:at:)`` to do.
  func sendStraight(_ event: EncodedEvent, form: Int, at now: NIODeadline) -> Bool {
    guard isPlain, event.seq == nil, let frame = event.frame(form) else { return false }
    let sent = frame.withUnsafeReadableBytes(socket.send)
    if sent < frame.readableBytes { queue(ByteBuffer(frame.readableBytesView.dropFirst(sent))) }
    state.sent(at: HubInstant(now))
    return true
  }

  /// Writes a frame without flushing it, if it may go straight to the socket: nothing waits in the channel then.
  ///
  /// - Returns: False if something waits there, or if the carrier has no socket of this event loop.
  func writeStraight(_ frame: ByteBuffer) -> Bool {
    registry.written.makeRoom(for: frame.readableBytes, of: self)
    guard socket.isClear else { return false }
    registry.written.append(frame, of: self)
    return true
  }

  /// Writes a frame behind what waits in the channel, without flushing it.
  func write(_ frame: ByteBuffer, behind channel: any NIOCore.Channel) {
    socket.queueMore()
    channel.write(frame, promise: nil)
  }

  /// Sends a frame of the WebSocket's own.
  func reply(_ frame: ByteBuffer) {
    guard case .channel(let channel) = carrier else { return }
    if !writeStraight(frame) { write(frame, behind: channel) }
    flush()
  }

  func flush(at now: NIODeadline = .now()) {
    if socket.isClear { return flushStraight() }
    switch carrier {
    case .channel(let channel): channel.flush()
    case .polls(let poll):
      // The answer closes its TCP connection, and the node takes no other: the goodbye has to be in it.
      if hub.isDraining, state.isConnected { return end(.sentAway) }
      poll.flush(at: now)
    case .none: break
    }
  }

  private func flushStraight() {
    queue(registry.written.empty(of: self, socket.send))
  }

  /// Gives the channel what the socket did not take.
  private func queue(_ rest: ByteBuffer?) {
    guard let rest, case .channel(let channel) = carrier else { return }
    queue(rest, channel)
  }

  private func queue(_ bytes: ByteBuffer, _ channel: any NIOCore.Channel) {
    // Before the channel writes: what NIO has us write from within that call goes behind it.
    socket.beginQueueing()
    queueUntil(channel.writeAndFlush(bytes), channel)
  }

  /// Everything goes through the channel until it has written this, and all that was put behind it.
  private func queueUntil(_ written: EventLoopFuture<Void>, _ channel: any NIOCore.Channel) {
    let attachment = attachment
    written.assumeIsolated().whenSuccess {
      // Another carrier has taken the channel's place otherwise.
      guard attachment == self.attachment, self.socket.endQueueing() else { return }
      self.queue(ByteBuffer(), channel)
    }
  }

  // MARK: Polls

  /// A GET of long polling has come; the promise takes its answer to it.
  func poll(_ promise: EventLoopPromise<LongPoll.Answer>, for request: ObjectIdentifier) {
    guard case .polls(let poll) = carrier else { return promise.succeed(.ended) }
    poll.poll(promise, for: request, at: .now())
    if isOver(poll) { end(.goodbyeTaken) } else { continueResume() }
  }

  /// Whether the client has fetched all that it ever will.
  func isOver(_ poll: LongPoll) -> Bool {
    // While a node drains, each answer closes its TCP connection: that with the goodbye is the last one.
    poll.isDone || hub.isDraining && poll.isFetched
  }

  /// Takes back what an answer held: the TCP connection of its GET had ended before it came there.
  func giveBack(_ data: ByteBuffer) {
    if case .polls(let poll) = carrier { poll.giveBack(data, at: .now()) }
  }

  /// The TCP connection of a GET has ended.
  func cancelPoll(for request: ObjectIdentifier) {
    if case .polls(let poll) = carrier { poll.cancelPoll(for: request, at: .now()) }
  }

  /// A request of this connection has shown a token that may end later than the one before.
  func renew(until expiresAt: NIODeadline?) { self.expiresAt = expiresAt }

  // MARK: Reconnecting

  /// A new WebSocket of a stateful connection takes the place of the old one.
  ///
  /// - Returns: The number by which the WebSocket has to speak of itself; nil if the connection cannot be taken up.
  func reattach(_ channel: any NIOCore.Channel, until expiresAt: NIODeadline?) -> UInt32? {
    guard isOpen, state.reattach(at: .now), let first = extras?.replay?.rewind() else { return nil }
    if case .channel(let old) = carrier { close(old) }
    attachment += 1
    carrier = .channel(channel)
    backlog = Backlog()
    extras?.detachedAt = nil
    renew(until: expiresAt)
    hub.statistics.count(.reattached)
    sendControl(state.hubProtocol.encode(.sequence(sequenceID: first)))
    pump()
    flush()
    continueResume()
    return attachment
  }

  /// The channel has closed, which its handler reports when NIO removes it: the end, unless the client may come back to a
  /// stateful connection.
  func carrierEnded(attachment: UInt32) {
    guard attachment == self.attachment else { return }
    carrier = .none
    socket = .none
    backlog = Backlog()
    // Without an answer to its handshake a client has nothing to come back to.
    guard isOpen, state.isStateful, extras?.deferred == nil else { return end(.carrierEnded) }
    let extras = neededExtras()
    extras.detachedAt = .now()
    if extras.isViewing { hub.methods?.presence.connectionEnded(id, of: user) }
    extras.isViewing = false
  }
}
