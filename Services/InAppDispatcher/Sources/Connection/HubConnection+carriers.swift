import NIOCore
import SignalRProtocol

/// What takes a connection's bytes to its client, and how it comes and goes.
extension HubConnection {
  /// A GET of long polling.
  func poll(_ promise: EventLoopPromise<LongPoll.Answer>, for request: ObjectIdentifier) {
    guard case .polls(let poll) = carrier else { return promise.succeed(.ended) }
    poll.poll(promise, for: request, at: .now())
    if poll.isDone { remove() } else { continueResume() }
  }

  /// What an answer held that no client has got.
  func giveBack(_ data: ByteBuffer) {
    if case .polls(let poll) = carrier { poll.giveBack(data, at: .now()) }
  }

  func cancelPoll(for request: ObjectIdentifier) {
    if case .polls(let poll) = carrier { poll.cancelPoll(for: request, at: .now()) }
  }

  /// A request of this connection has shown a token that may end later than the one before.
  func renew(until expiresAt: NIODeadline?) { self.expiresAt = expiresAt }

  /// A new WebSocket of a stateful connection takes the place of the old one.
  ///
  /// - Returns: The number by which the WebSocket has to speak of itself; nil if the connection cannot be taken up.
  func reattach(_ channel: any NIOCore.Channel, until expiresAt: NIODeadline?) -> UInt32? {
    guard isOpen, state.reattach(at: .now), let first = extras?.replay?.rewind() else { return nil }
    if case .channel(let old) = carrier { old.close(promise: nil) }
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

  /// The channel is gone: the end, unless the client may come back to a stateful connection.
  func carrierEnded(attachment: UInt32) {
    guard attachment == self.attachment else { return }
    carrier = .none
    backlog = Backlog()
    // Without an answer to its handshake a client has nothing to come back to.
    guard isOpen, state.isStateful, extras?.deferred == nil else { return remove() }
    let extras = neededExtras()
    extras.detachedAt = .now()
    if extras.isViewing { hub.methods?.presence.connectionEnded(id, of: user) }
    extras.isViewing = false
  }
}
