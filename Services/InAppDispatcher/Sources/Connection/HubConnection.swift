import NIOCore
import NotificationModel
import ServiceRuntime
import SignalRProtocol

/// One client of the hub, whatever carries its bytes: carries out what its ``HubConnectionState`` decides.
///
/// It lives on one event loop for all its life, and is used there only.
final class HubConnection {
  /// Bytes that a stateful connection may send without an acknowledgement.
  private static let replayWindow = 100_000

  // First what each event needs, together: of a connection that was idle none of it is in the processor's cache.

  /// The carrier's socket, where it can be written to directly.
  var socket = DirectSocket.none
  /// Where events for the connection are addressed to; nil as long as it gets none.
  private(set) var slot: Slot?
  let path: HubPath
  let transport: HubTransport
  var phase = Phase.open
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
  let network: ClientNetwork
  let isNegotiated: Bool
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

  var isOpen: Bool {
    if case .open = phase { true } else { false }
  }

  // MARK: Inbound

  /// Takes what the client sent before its transport came. The HTTP handler calls it when it has opened the transport.
  func begin(_ early: [UInt8]) {
    if !early.isEmpty { receive(early, attachment: 0) }
  }

  /// Takes what a frame or a POST brought.
  func receive(_ bytes: [UInt8], attachment: UInt32) {
    guard isOpen, attachment == self.attachment else { return }
    let (limits, rate) = (hub.limits, hub.limits.maximumMessagesPerSecond)
    guard extras?.countDeferred(bytes.count, limit: limits.maximumBodySize) ?? true else {
      return refuse(.tooManyMessages(limit: rate))
    }
    perform(state.receive(bytes, at: .now, limit: limits.maximumMessageSize, messagesPerSecond: rate))
  }

  func perform(_ actions: [HubAction]) {
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

  private func carryOut(_ actions: [HubAction]) {
    // First: whoever has the answer to the handshake is sent everything, and may lose the connection and come back.
    if isEstablishing(actions) { establish() }
    for action in actions {
      switch action {
      case .send(let bytes): sendControl(bytes)
      case .established: break
      case .handle(let message): handle(message)
      case .acknowledged(let id): acknowledge(id)
      case .close(let reason): end(.protocol(reason))
      }
    }
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

  /// Ends a WebSocket whose frames violate RFC 6455 or the limits.
  func refuse(_ violation: WebSocketFrameReader.Violation, attachment: UInt32) {
    guard isOpen, attachment == self.attachment else { return }
    switch violation {
    case .tooLong: refuse(.messageTooLarge(limit: hub.limits.maximumMessageSize))
    case .protocolError: end(.malformedFrame)
    }
  }

  /// Ends the connection because of what its client sends, and says so to it.
  func refuse(_ error: HubProtocolError) {
    if isOpen { perform(state.refuse(error)) }
  }

  /// The client has sent the close frame of its WebSocket, or long polling's DELETE.
  func clientClosed(attachment: UInt32) {
    guard attachment == self.attachment else { return }
    end(isOpen ? .byClient : .goodbyeTaken)
  }

  // MARK: Handshake

  private func isEstablishing(_ actions: [HubAction]) -> Bool {
    actions.contains { if case .established = $0 { true } else { false } }
  }

  /// Answers the handshake. The registry calls it when the database has answered the last `seq` of the user's inbox, or has
  /// failed (nil); ``tick(at:)``, with nil, when it takes too long.
  ///
  /// Known before the answer, for what comes after it has to reach the client in order: see ``fillGap(before:)``.
  func begin(at seq: Int?) {
    guard isOpen else { return }
    // A `seq` that the database answers too late still shows what is missing before later notifications.
    initialSeq = initialSeq ?? seq
    guard let extras, let deferred = extras.deferred else { return }
    // Nothing else is in use yet: a client that has gone meanwhile is gone for good.
    self.extras = nil
    carryOut(deferred)
    if let seq = extras.announcedSeq { fillGap(upTo: seq) }
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

  func unsubscribe() {
    guard let slot else { return }
    self.slot = nil
    registry.unsubscribe(slot, of: user)
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
      if let seq = event.seq { extras.announcedSeq = max(extras.announcedSeq ?? seq, seq) }
      return false
    }
    guard let frame = event.frame(form) else { return false }
    switch event.kind {
    case .notification(let seq):
      if leaveToResume(seq) || fillGap(before: seq) { return false }
      guard got.insert(seq) else { return false }
    case .change where extras?.resume?.note(frame) == false:
      // Which of so many were before what is being read, and which after, is not remembered: the client has to come again.
      end(.sentAway)
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
    if (extras?.replay?.bufferedBytes ?? 0) > hub.limits.maximumPendingBytes { end(.slow) }
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
      guard backlog.add(frame.readableBytes, limit: hub.limits.maximumPendingBytes) else { return end(.slow) }
      write(frame, behind: channel)
    case .polls(let poll):
      guard poll.pendingBytes + frame.readableBytes <= hub.limits.maximumPendingBytes else { return end(.slow) }
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

  /// NIO has notified the channel's handler that the channel takes no more for now, or takes it again.
  func setBlocked(_ isBlocked: Bool, attachment: UInt32) {
    guard attachment == self.attachment else { return }
    backlog.setBlocked(isBlocked, at: .now())
    if !isBlocked { continueResume() }
  }

  // MARK: Time

  func tick(at now: NIODeadline) {
    if case .closing(let deadline) = phase, now >= deadline { return end(.goodbyeIgnored) }
    guard isOpen else { return }
    // Nothing is heard of a client that is about to come back.
    if extras?.detachedAt == nil { perform(state.tick(at: HubInstant(now), timing: hub.timing)) }
    guard isOpen else { return }
    if extras?.deferred != nil, now - begunAt >= TimeAmount(hub.limits.seqTimeout) { begin(at: nil) }
    if let expiresAt, now >= expiresAt { return end(.tokenExpired) }
    if backlog.isStuck(at: now, patience: TimeAmount(hub.limits.sendTimeout)) { return end(.slow) }
    if let since = extras?.detachedAt, now - since >= TimeAmount(hub.limits.reconnectTimeout) {
      return end(.notReattached)
    }
    guard case .polls(let poll) = carrier else { return }
    if poll.tick(at: now, limit: TimeAmount(hub.limits.pollTimeout), patience: TimeAmount(hub.limits.pollPatience)) {
      end(.pollsStopped)
    }
  }
}
