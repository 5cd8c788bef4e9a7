import Logging
import NIOCore
import NotificationModel
import ServiceRuntime
import SignalRProtocol

/// One client of the hub, whatever carries its bytes: carries out what its ``HubConnectionState`` decides.
///
/// It lives on one event loop for all its life, and is used there only.
final class HubConnection {
  /// How far the end has come.
  private enum Phase {
    case open
    /// The hub has said its last word; the client has until then to take it.
    case closing(by: NIODeadline)
    case ended
  }

  /// Bytes that a stateful connection may send without an acknowledgement.
  private static let replayWindow = 100_000

  // First what each event needs, together: of a connection that was idle none of it is in the processor's cache.

  /// The carrier's socket, where it can be written to directly.
  var socket = DirectSocket.none
  /// Where events for the connection are addressed to; nil as long as it gets none.
  private(set) var slot: Slot?
  let path: HubPath
  let transport: HubTransport
  private var phase = Phase.open
  /// What only some connections need.
  var extras: ConnectionExtras?
  var state: HubConnectionState
  let registry: ConnectionRegistry
  /// What this connection has got of its user's notifications.
  var got = SeqSet()
  /// The inbox's last `seq` when the connection began; nil if nobody knows.
  private(set) var initialSeq: Int?

  let id: ConnectionID
  let user: UserID
  let hub: HubContext
  private let network: ClientNetwork
  private let isNegotiated: Bool
  var expiresAt: NIODeadline?
  private let begunAt = NIODeadline.now()
  var carrier: Carrier
  /// Grows with each WebSocket of a stateful connection: what an earlier one still says is ignored.
  var attachment: UInt32 = 0
  var backlog = Backlog()

  /// Becomes what the ticket stands for.
  init(_ ticket: HubTicket, expiresAt: NIODeadline?, carrier: Carrier, hub: HubContext, registry: ConnectionRegistry) {
    id = ticket.id
    user = ticket.user
    network = ticket.network
    path = ticket.path
    transport = ticket.transport
    isNegotiated = ticket.isNegotiated
    self.expiresAt = expiresAt
    self.carrier = carrier
    self.hub = hub
    self.registry = registry
    state = HubConnectionState(
      at: .now,
      transport: ticket.transport,
      allowsStatefulReconnect: ticket.isStateful
    )
    registry.add(self)
    hub.statistics.count(.opened(ticket.transport))
    hub.telemetry.opened(ticket.transport)
  }

  /// Takes what the client sent before its transport came. The HTTP handler calls it when it has opened the transport.
  func begin(_ early: [UInt8]) {
    if !early.isEmpty { receive(early, attachment: 0) }
  }

  var isOpen: Bool {
    if case .open = phase { true } else { false }
  }

  // MARK: Inbound

  /// Takes what a frame or a POST brought.
  func receive(_ bytes: [UInt8], attachment: UInt32) {
    guard isOpen, attachment == self.attachment else { return }
    let (limits, rate) = (hub.limits, hub.limits.maximumMessagesPerSecond)
    guard extras?.countDeferred(bytes.count, limit: limits.maximumBodySize) ?? true else {
      return refuse(.tooManyMessages(limit: rate))
    }
    perform(state.receive(bytes, at: .now, limit: limits.maximumMessageSize, messagesPerSecond: rate))
  }

  private func perform(_ actions: [HubAction]) {
    if extras?.deferred != nil {
      // The client does not wait for the answer to its handshake.
      extras?.deferred?.append(contentsOf: actions)
    } else if isEstablishing(actions), let methods = hub.methods {
      neededExtras().deferred = actions
      // Before the `seq` is read: what comes in between is noted, and read with the rest.
      subscribe()
      registry.findSeq(of: self, methods)
    } else {
      carryOut(actions)
    }
  }

  private func isEstablishing(_ actions: [HubAction]) -> Bool {
    actions.contains { if case .established = $0 { true } else { false } }
  }

  /// Answers the handshake. The registry calls it when the database has told the last `seq` of the user's inbox, or has failed
  /// (nil); ``tick(at:)``, with nil, when it takes too long.
  ///
  /// Known before the answer, for what comes after it has to reach the client in order: see ``fillGap(before:)``.
  func begin(at seq: Int?) {
    guard isOpen else { return }
    // A `seq` that the database tells too late still shows what is missing before later notifications.
    initialSeq = initialSeq ?? seq
    guard let extras, let deferred = extras.deferred else { return }
    // Nothing else is in use yet: a client that has gone meanwhile is gone for good.
    self.extras = nil
    carryOut(deferred)
    if let seq = extras.toldSeq { fillGap(upTo: seq) }
  }

  private func carryOut(_ actions: [HubAction]) {
    // First: whoever has the answer to the handshake is told everything, and may lose the connection and come back.
    if isEstablishing(actions) { establish() }
    for action in actions {
      switch action {
      case .send(let bytes): sendControl(bytes)
      case .established: break
      case .handle(let message): handle(message)
      case .acknowledged(let id): acknowledge(id)
      case .close(let reason): finish(.protocol(reason))
      }
    }
  }

  private func establish() {
    hub.statistics.count(.established)
    if state.isStateful {
      neededExtras().replay = ReplayBuffer(capacity: Self.replayWindow)
      hub.directory.allowReattaching(id)
    }
    subscribe()
  }

  private func subscribe() {
    if slot == nil { slot = registry.subscribe(self) }
  }

  // MARK: Outbound

  /// Writes an event without flushing it.
  ///
  /// - Parameter form: By ``FormSet/index(_:_:)``.
  /// - Returns: False if the connection is going, or has the notification already, or will get it from its replay.
  func deliver(_ event: EncodedEvent, form: Int, at now: NIODeadline) -> Bool {
    guard slot != nil else { return false }
    if let extras, extras.deferred != nil {
      // The handshake is not answered yet.
      if let seq = event.seq { extras.toldSeq = max(extras.toldSeq ?? seq, seq) }
      return false
    }
    guard let frame = event.frame(form) else { return false }
    switch event.kind {
    case .notification(let seq):
      if leaveToResume(seq) || fillGap(before: seq) { return false }
      guard got.insert(seq) else { return false }
    case .change where extras?.resume?.note(frame) == false:
      // Which of so many were before what is being read, and which after, is not remembered: the client has to come again.
      sendAway()
      return false
    case .unread: extras?.resume?.noteUnread(frame)
    case .change, .other: break
    }
    write(frame, messages: event.messages, at: now)
    return true
  }

  /// Writes hub messages of the numbered types, framed, without flushing them.
  func write(_ frame: ByteBuffer, messages: Int = 1, at now: NIODeadline = .now()) {
    guard isOpen else { return }
    guard extras?.replay != nil else { return send(frame, at: now) }
    extras?.replay?.append(frame, messages: messages, size: frame.readableBytes)
    pump()
    if (extras?.replay?.bufferedBytes ?? 0) > hub.limits.maximumPendingBytes { drop() }
  }

  /// Writes one hub message that is not framed yet.
  func write(record: [UInt8]) {
    write(form.framed(record))
  }

  /// Sends what stateful reconnect lets through.
  func pump() {
    guard case .channel = carrier else { return }
    while let frame = extras?.replay?.next() { send(frame) }
  }

  private func acknowledge(_ id: Int64) {
    do {
      try extras?.replay?.acknowledge(id)
    } catch {
      return refuse(error)
    }
    pump()
    flush()
    continueResume()
  }

  /// Sends a message that is not numbered: handshake, ping, acknowledgement, close.
  func sendControl(_ bytes: [UInt8]) {
    send(form.framed(bytes))
    flush()
  }

  private func send(_ frame: ByteBuffer, at now: NIODeadline = .now()) {
    // Nearly always: nothing else is looked at then.
    if writeStraight(frame) { return state.sent(at: HubInstant(now)) }
    switch carrier {
    case .channel(let channel):
      guard backlog.add(frame.readableBytes, limit: hub.limits.maximumPendingBytes) else { return drop() }
      write(frame, behind: channel)
    case .polls(let poll):
      guard poll.pendingBytes + frame.readableBytes <= hub.limits.maximumPendingBytes else { return drop() }
      poll.append(frame)
    case .none:
      return
    }
    state.sent(at: HubInstant(now))
  }

  /// Whether more may be written without piling up.
  var isWritable: Bool {
    switch carrier {
    case .channel: !backlog.isBlocked && (extras?.replay?.bufferedBytes ?? 0) < Self.replayWindow
    case .polls(let poll): poll.pendingBytes == 0
    case .none: false
    }
  }

  /// NIO has told the channel's handler that the channel takes no more for now, or takes it again.
  func setBlocked(_ isBlocked: Bool, attachment: UInt32) {
    guard attachment == self.attachment else { return }
    backlog.setBlocked(isBlocked, at: .now())
    if !isBlocked { continueResume() }
  }

  // MARK: Time

  func tick(at now: NIODeadline) {
    switch phase {
    case .open: break
    case .closing(let deadline):
      if now >= deadline { abort() }
      return
    case .ended: return
    }
    // Nothing is heard of a client that is about to come back.
    if extras?.detachedAt == nil { perform(state.tick(at: HubInstant(now), timing: hub.timing)) }
    guard isOpen else { return }
    if extras?.deferred != nil, now - begunAt >= TimeAmount(hub.limits.seqTimeout) { begin(at: nil) }
    if let expiresAt, now >= expiresAt { return finish(.tokenExpired) }
    if backlog.isStuck(at: now, patience: TimeAmount(hub.limits.sendTimeout)) { return drop() }
    if let since = extras?.detachedAt, now - since >= TimeAmount(hub.limits.reconnectTimeout) {
      hub.statistics.count(.ended(.notReattached))
      return remove()
    }
    guard case .polls(let poll) = carrier else { return }
    if poll.tick(at: now, limit: TimeAmount(hub.limits.pollTimeout), patience: TimeAmount(hub.limits.pollPatience)) {
      hub.statistics.count(.ended(.clientTimeout))
      remove()
    }
  }

  // MARK: End

  /// Asks the client to reconnect elsewhere.
  func sendAway() { finish(.sentAway) }

  /// Long polling's DELETE.
  func delete() {
    if isOpen { hub.statistics.count(.ended(.byClient)) }
    if case .polls(let poll) = carrier {
      poll.abort(at: .now())
    }
    remove()
  }

  /// The client has sent the close frame of its WebSocket: unlike one whose network broke, it does not come back.
  func clientClosed(attachment: UInt32) {
    guard attachment == self.attachment else { return }
    if isOpen { hub.statistics.count(.ended(.byClient)) }
    remove()
  }

  /// Ends a WebSocket whose frames violate RFC 6455 or the limits.
  func refuse(_ violation: WebSocketFrameReader.Violation, attachment: UInt32) {
    guard isOpen, attachment == self.attachment else { return }
    switch violation {
    case .tooLong:
      refuse(.messageTooLarge(limit: hub.limits.maximumMessageSize))
    case .protocolError:
      hub.statistics.count(.ended(.protocolError))
      close(code: 1002)
    }
  }

  /// Ends the connection because of what its client sends, and tells it so.
  func refuse(_ error: HubProtocolError) {
    if isOpen { perform(state.refuse(error)) }
  }

  private func finish(_ reason: HubEnd) {
    // A client that waits for its handshake can only be told once it has it.
    if extras?.deferred != nil { begin(at: nil) }
    guard isOpen else { return }
    hub.statistics.count(.ended(reason.label))
    switch reason {
    case .protocol(.clientTimeout):
      abort()
    case .protocol(let reason):
      hub.logger.debug("ended a connection", metadata: ["user": "\(user)", "reason": "\(reason)"])
      close(code: reason.closeCode)
    case .sentAway, .tokenExpired:
      perform(state.close(allowReconnect: true))
      close(code: 1001)
    }
  }

  /// Ends the connection of a client that does not read.
  private func drop() {
    // A caller that is writing several frames comes here again with each that is left.
    guard isOpen else { return }
    hub.statistics.count(.ended(.slow))
    hub.logger.notice("dropped a client that does not read", metadata: ["user": "\(user)"])
    abort()
  }

  /// Begins the end. A WebSocket stays open until the client answers or its time is over: closing at once could destroy
  /// what the client has not read yet.
  private func close(code: UInt16) {
    guard isOpen else { return }
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

  /// Ends the connection at once.
  func abort() {
    unsubscribe()
    phase = .ended
    switch carrier {
    case .channel(let channel): close(channel)
    case .polls(let poll):
      poll.abort(at: .now())
      remove()
    case .none: remove()
    }
  }

  /// Forgets the connection: its carrier has ended, its client has fetched the goodbye or deleted it, or its time is over. A
  /// second call does nothing.
  func remove() {
    unsubscribe()
    phase = .ended
    guard registry.connection(id) === self else { return }
    if extras?.isViewing == true { hub.methods?.presence.connectionEnded(id, of: user) }
    extras = nil
    carrier = .none
    socket = .none
    hub.telemetry.closed(transport)
    registry.remove(self)
    hub.directory.close(id, isNegotiated: isNegotiated, user: user, network: network)
  }

  private func unsubscribe() {
    guard let slot else { return }
    self.slot = nil
    registry.unsubscribe(slot, of: user)
  }
}
