import Logging
import NIOCore
import NotificationModel
import NotificationStore
import SignalRProtocol
import UserIdentity

/// Why a connection ends: all the ways there are. ``effect`` says what each does, ``HubConnection/end(_:)`` carries it out.
enum HubEnd {
  // An open connection ends, once.

  /// Where the protocol has a last word for the client, that is on its way.
  case `protocol`(HubCloseReason)
  /// The frames of a WebSocket violate RFC 6455.
  case malformedFrame
  /// The node stops, or has missed events: the client is to reconnect.
  case sentAway
  case tokenExpired
  /// The client does not read what is sent.
  case slow
  /// The client says so, by its WebSocket's close frame or a DELETE: unlike one whose network broke, it does not come back.
  case byClient
  /// A long-polling client sends no GET any more.
  case pollsStopped
  /// The client of a stateful connection has not come back in time.
  case notReattached

  // The rest of an end, or one that nobody has chosen.

  /// The client has answered the goodbye, or fetched it.
  case goodbyeTaken
  /// The client has not taken the goodbye in time.
  case goodbyeIgnored
  case carrierEnded
  /// The channel has closed on its way from HTTP to the hub.
  case neverBegan
  /// The drain takes too long.
  case drainTimeout

  /// What is done with the carrier. The number is the status of a WebSocket's close frame (RFC 6455, section 7.4.1).
  enum Manner {
    /// The client is asked to come back, then the carrier is closed.
    case goodbye(UInt16)
    /// The carrier is closed when the client has read what was sent, which may have told it more.
    case close(UInt16)
    /// The carrier is closed, whatever it still has.
    case atOnce
    /// There is no carrier any more, or its handler closes it, or it is polls: a GET that waits is answered.
    case forgotten
  }

  /// As what it is counted, if it is, and how it is done.
  var effect: (label: HubStatistics.EndReason?, manner: Manner) {
    switch self {
    case .protocol(.byClient): (.byClient, .close(1000))
    case .protocol(.handshakeTimeout): (.handshakeTimeout, .close(1000))
    case .protocol(.handshakeRefused): (.handshakeRefused, .close(1000))
    case .protocol(.clientTimeout): (.clientTimeout, .atOnce)
    case .protocol(.protocolError(.messageTooLarge)): (.protocolError, .close(1009))
    case .protocol(.protocolError(.tooManyMessages)): (.tooManyMessages, .close(1008))
    case .protocol(.protocolError): (.protocolError, .close(1000))
    case .malformedFrame: (.protocolError, .close(1002))
    case .sentAway: (.sentAway, .goodbye(1001))
    case .tokenExpired: (.tokenExpired, .goodbye(1001))
    case .slow: (.slow, .atOnce)
    case .byClient: (.byClient, .forgotten)
    case .pollsStopped: (.clientTimeout, .forgotten)
    case .notReattached: (.notReattached, .forgotten)
    case .goodbyeTaken: (nil, .forgotten)
    case .goodbyeIgnored: (nil, .atOnce)
    case .carrierEnded: (nil, .forgotten)
    case .neverBegan: (nil, .atOnce)
    case .drainTimeout: (nil, .atOnce)
    }
  }
}

/// The end of a connection.
extension HubConnection {
  /// How far the end has come.
  enum Phase {
    case open
    /// The hub has said its last word; the client has until then to take it.
    case closing(by: NIODeadline)
    case ended
  }

  func end(_ reason: HubEnd) {
    let (label, manner) = reason.effect
    if case .goodbye = manner {
      // A client that waits for its handshake can only read the goodbye once it has it.
      if extras?.deferred != nil { begin(at: nil) }
      // A client for which even this is too much ends as slow.
      if isOpen { perform(state.close(allowReconnect: true)) }
    }
    if let label {
      // A caller that is writing several frames comes here again with each that is left.
      guard isOpen else { return }
      hub.statistics.count(.ended(label))
      log(reason)
    }
    switch manner {
    case .goodbye(let code), .close(let code): close(code: code)
    case .atOnce: abort()
    case .forgotten: remove()
    }
  }

  private func log(_ reason: HubEnd) {
    switch reason {
    case .slow:
      log(.notice, "dropped a client that does not read")
    case .protocol(let reason) where reason != .clientTimeout:
      log(.debug, "ended a connection", ["reason": "\(reason)"])
    default: break
    }
  }

  /// Logs something about the user, by the id that the token has where this node remembers it: nobody is asked, for all clients of a node
  /// may be dropped at once.
  private func log(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata = [:]) {
    guard level >= hub.logger.logLevel else { return }
    let name = user.uuid.isVersion5 ? hub.identifiers?.remembered(user) : nil
    hub.logger.log(level: level, message, metadata: metadata.merging(["user": "\(name ?? user.description)"]) { $1 })
  }

  /// Begins the end. A WebSocket stays open until the client answers or its time is over: closing at once could destroy
  /// what the client has not read yet.
  private func close(code: UInt16) {
    unsubscribe()
    phase = .closing(by: .now() + TimeAmount(hub.limits.closeTimeout))
    switch carrier {
    case .channel where transport == .webSockets:
      reply(WebSocketFrames.close(code: code))
    case .channel(let channel):
      flush()
      channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
    case .polls(let poll):
      // Until the client has fetched the rest, which it does with its next GET.
      phase = .closing(by: .now() + TimeAmount(hub.limits.pollPatience))
      poll.end(at: .now())
      if isOver(poll) { remove() }
    case .none:
      remove()
    }
  }

  /// A channel's handler says when it has closed: see ``carrierEnded(attachment:)``.
  private func abort() {
    unsubscribe()
    phase = .ended
    if case .channel(let channel) = carrier { close(channel) } else { remove() }
  }

  /// A second call does nothing.
  private func remove() {
    unsubscribe()
    phase = .ended
    guard registry.connection(id) === self else { return }
    if case .polls(let poll) = carrier { poll.abort(at: .now()) }
    if extras?.isViewing == true { hub.methods?.presence.connectionEnded(id, of: user) }
    extras = nil
    carrier = .none
    socket = .none
    hub.telemetry.closed(transport)
    registry.remove(self)
    hub.directory.close(id, isNegotiated: isNegotiated, user: user, network: network)
  }
}
