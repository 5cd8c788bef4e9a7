/// The life of one hub connection, whatever carries it: handshake, messages, pings, timeouts, stateful reconnect.
///
/// It does nothing itself: it is told what arrived, what was sent and what time it is, and answers with actions. What
/// may have to be sent again is kept in a ``ReplayBuffer``, by the owner. How bytes are cut into messages depends on
/// the handshake only, never on the kind of a WebSocket frame: moozzyk's client sends JSON in binary frames.
public struct HubConnectionState: Sendable {
  private enum Phase {
    case handshake
    case connected
    case closed
  }

  // First what sending needs.
  private var sentAt: HubInstant
  /// JSON until the handshake says otherwise.
  public private(set) var hubProtocol = HubProtocol.json
  private var phase = Phase.handshake
  private let startedAt: HubInstant
  private var receivedAt: HubInstant
  private var records = RecordBuffer()
  private var lengthPrefixed = LengthPrefixedBuffer()
  private var sequence: InboundSequence
  private let transport: HubTransport
  private let allowsStatefulReconnect: Bool
  private var usesStatefulReconnect = false
  /// A client that never pings, as some simple ones do, never times out.
  private var hasClientPinged = false
  /// Bytes that the client may still send after a reconnect without their being counted: it sends again, at once, what it
  /// has no acknowledgement for, and what was to be sent meanwhile.
  private var uncounted: Int32 = 0
  private var rate = MessageRate()

  /// How much clients keep to send it again, in bytes; so does ``ReplayBuffer``.
  private static let replayWindow: Int32 = 100_000

  /// - Parameter allowsStatefulReconnect: Whether the client asked for it when it negotiated, and was told that it may.
  public init(at now: HubInstant, transport: HubTransport, allowsStatefulReconnect: Bool = false) {
    startedAt = now
    sentAt = now
    receivedAt = now
    sequence = InboundSequence(at: now)
    self.transport = transport
    self.allowsStatefulReconnect = allowsStatefulReconnect
  }

  /// Whether messages may be sent to the client: from the handshake to the end.
  public var isConnected: Bool { phase == .connected }

  /// Whether the connection outlives its WebSocket, so that numbered messages are kept until they are acknowledged.
  public var isStateful: Bool { isConnected && usesStatefulReconnect }

  // MARK: What happens

  /// Takes what arrived in one frame.
  ///
  /// - Parameters:
  ///   - limit: The longest message in bytes.
  ///   - messagesPerSecond: How many are taken. A frame in which none ends counts as one.
  public mutating func receive(
    _ bytes: [UInt8],
    at now: HubInstant,
    limit: Int,
    messagesPerSecond: Int = .max
  ) -> [HubAction] {
    guard phase != .closed else { return [] }
    receivedAt = now
    var actions: [HubAction] = []
    var rest = bytes[...]
    let isCounted = bytes.isEmpty || uncounted < bytes.count
    if !isCounted { uncounted -= Int32(bytes.count) }
    do throws(HubProtocolError) {
      if isCounted { try rate.count(at: now, limit: messagesPerSecond) }
      var isFirst = true
      // The handshake decides how the bytes behind it are framed.
      while phase != .closed, let record = try nextRecord(from: &rest, limit: limit) {
        if isCounted, !isFirst { try rate.count(at: now, limit: messagesPerSecond) }
        isFirst = false
        if phase == .handshake {
          try shakeHands(record, at: now, into: &actions)
        } else {
          try receive(record: record, into: &actions)
        }
      }
    } catch {
      fail(error, into: &actions)
    }
    return actions
  }

  /// Notes that something was sent, which postpones the next ping.
  public mutating func sent(at now: HubInstant) {
    sentAt = now
  }

  /// Checks the clocks; to be called about once a second, but not while a stateful connection has no WebSocket.
  public mutating func tick(at now: HubInstant, timing: HubTiming) -> [HubAction] {
    switch phase {
    case .handshake:
      guard now.elapsed(since: startedAt) >= timing.handshakeTimeout else { return [] }
      phase = .closed
      return [.send(HandshakeResponse.refused("Handshake was canceled.")), .close(.handshakeTimeout)]
    case .connected:
      if hasClientPinged, now.elapsed(since: receivedAt) >= timing.clientTimeout {
        phase = .closed
        return [.close(.clientTimeout)]
      }
      if usesStatefulReconnect, let id = sequence.acknowledgement(at: now) {
        sentAt = now
        return [.send(hubProtocol.encode(.ack(sequenceID: id)))]
      }
      guard now.elapsed(since: sentAt) >= timing.pingInterval else { return [] }
      sentAt = now
      return [.send(hubProtocol.encode(.ping))]
    case .closed:
      return []
    }
  }

  /// Ends the connection on the server's wish.
  ///
  /// The client is notified if it has shaken hands, and to come back where `allowReconnect` is set; with an error
  /// JavaScript and pysignalr stay away all the same.
  public mutating func close(error: String? = nil, allowReconnect: Bool) -> [HubAction] {
    defer { phase = .closed }
    guard phase == .connected else { return [] }
    return [.send(hubProtocol.encode(.close(error: error, allowReconnect: allowReconnect)))]
  }

  /// Ends the connection because of what the client sends, which the owner has seen.
  public mutating func refuse(_ error: HubProtocolError) -> [HubAction] {
    var actions: [HubAction] = []
    if phase != .closed { fail(error, into: &actions) }
    return actions
  }

  /// Carries a stateful connection on over a new WebSocket, without a handshake; false if there is nothing to carry on.
  ///
  /// The client begins with a Sequence message; calls that it sends before that are dropped. The owner begins with one
  /// too: see ``ReplayBuffer/rewind()``.
  public mutating func reattach(at now: HubInstant) -> Bool {
    guard isStateful else { return false }
    records = RecordBuffer()
    lengthPrefixed = LengthPrefixedBuffer()
    sequence.reattach()
    uncounted = Self.replayWindow
    sentAt = now
    receivedAt = now
    return true
  }

  // MARK: Parts

  private mutating func nextRecord(
    from bytes: inout ArraySlice<UInt8>,
    limit: Int
  ) throws(HubProtocolError) -> ArraySlice<UInt8>? {
    switch hubProtocol {
    case .json: try records.next(from: &bytes, limit: limit)
    case .messagePack: try lengthPrefixed.next(from: &bytes, limit: limit)
    }
  }

  private mutating func receive(
    record: ArraySlice<UInt8>,
    into actions: inout [HubAction]
  ) throws(HubProtocolError) {
    guard let message = try hubProtocol.decode(record) else { return }
    switch message {
    case .ping:
      hasClientPinged = true
    case .close:
      phase = .closed
      actions.append(.close(.byClient))
    case .invocation, .streamItem, .completion, .streamInvocation, .cancelInvocation:
      if usesStatefulReconnect, !sequence.countMessage() { return }
      actions.append(.handle(message))
    case .ack(let id):
      if usesStatefulReconnect { actions.append(.acknowledged(id)) }
    case .sequence(let id):
      if usesStatefulReconnect { try sequence.begin(at: id) }
    }
  }

  private mutating func shakeHands(
    _ record: ArraySlice<UInt8>,
    at now: HubInstant,
    into actions: inout [HubAction]
  ) throws(HubProtocolError) {
    let request = try HandshakeRequest.decode(record)
    guard let asked = HubProtocol(rawValue: request.protocolName.lowercased()) else {
      return refuse("The protocol '\(request.protocolName)' is not supported.", into: &actions)
    }
    guard (0...Int64(HubProtocol.maximumVersion)).contains(request.version) else {
      return refuse(
        "The server does not support version \(request.version) of the '\(asked.rawValue)' protocol.",
        into: &actions
      )
    }
    guard transport.supportsBinary || !asked.isBinary else {
      return refuse(
        "Cannot use the '\(asked.rawValue)' protocol on the current transport. "
          + "The transport does not support 'Binary' transfer format.",
        into: &actions
      )
    }
    hubProtocol = asked
    usesStatefulReconnect = allowsStatefulReconnect && transport == .webSockets && request.version >= 2
    phase = .connected
    sentAt = now
    actions.append(.send(HandshakeResponse.accepted))
    actions.append(.established)
  }

  private mutating func refuse(_ error: String, into actions: inout [HubAction]) {
    phase = .closed
    actions.append(.send(HandshakeResponse.refused(error)))
    actions.append(.close(.handshakeRefused))
  }

  private mutating func fail(_ error: HubProtocolError, into actions: inout [HubAction]) {
    let wasConnected = phase == .connected
    phase = .closed
    let farewell =
      wasConnected
      ? hubProtocol.encode(.close(error: "Connection closed with an error. \(error.description)"))
      : HandshakeResponse.refused("The handshake cannot be read. \(error.description)")
    actions.append(.send(farewell))
    actions.append(.close(.protocolError(error)))
  }
}
