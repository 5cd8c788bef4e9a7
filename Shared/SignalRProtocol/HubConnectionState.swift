/// The life of one hub connection, whatever carries it: handshake, messages, pings, timeouts.
///
/// It does nothing itself: it is told what arrived, what was sent and what time it is, and answers with actions.
public struct HubConnectionState: Sendable {
  private enum Phase {
    case handshake
    case connected
    case closed
  }

  private var phase = Phase.handshake
  private var records: RecordBuffer
  private var hubProtocol = HubProtocol.json
  private let startedAt: HubInstant
  private var sentAt: HubInstant
  private var receivedAt: HubInstant
  /// A client that never pings, as some simple ones do, never times out.
  private var hasClientPinged = false

  /// - Parameter maximumMessageSize: The longest inbound message in bytes.
  public init(at now: HubInstant, maximumMessageSize: Int = 32 * 1_024) {
    records = RecordBuffer(limit: maximumMessageSize)
    startedAt = now
    sentAt = now
    receivedAt = now
  }

  /// Whether messages may be sent to the client.
  public var isConnected: Bool { phase == .connected }

  /// Takes what arrived in one frame.
  public mutating func receive(_ bytes: [UInt8], at now: HubInstant) -> [HubAction] {
    guard phase != .closed else { return [] }
    receivedAt = now
    var actions: [HubAction] = []
    do {
      for record in try records.append(bytes) {
        try receive(record: record, at: now, into: &actions)
        if phase == .closed { break }
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

  /// Checks the clocks; to be called about once a second.
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
      guard now.elapsed(since: sentAt) >= timing.pingInterval else { return [] }
      sentAt = now
      return [.send(hubProtocol.encode(.ping))]
    case .closed:
      return []
    }
  }

  /// Ends the connection on the server's wish; the client is told, and to come back where `allowReconnect` is set.
  public mutating func close(allowReconnect: Bool) -> [HubAction] {
    defer { phase = .closed }
    guard phase == .connected else { return [] }
    return [.send(hubProtocol.encode(.close(allowReconnect: allowReconnect)))]
  }

  private mutating func receive(
    record: ArraySlice<UInt8>,
    at now: HubInstant,
    into actions: inout [HubAction]
  ) throws(HubProtocolError) {
    if phase == .handshake { return try shakeHands(record, at: now, into: &actions) }
    guard let message = try hubProtocol.decode(record) else { return }
    switch message {
    case .ping:
      hasClientPinged = true
    case .close:
      phase = .closed
      actions.append(.close(.byClient))
    case .invocation, .streamItem, .completion, .streamInvocation, .cancelInvocation, .ack, .sequence:
      actions.append(.handle(message))
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
    hubProtocol = asked
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
