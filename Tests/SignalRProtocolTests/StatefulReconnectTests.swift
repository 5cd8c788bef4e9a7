import SignalRProtocol
import Testing

@Suite struct StatefulReconnectTests {
  private struct Peer {
    var state: HubConnectionState
    let hubProtocol: HubProtocol

    init(_ hubProtocol: HubProtocol = .json) {
      self.hubProtocol = hubProtocol
      state = connected(hubProtocol, version: 2, allowsStatefulReconnect: true)
    }

    mutating func receive(_ messages: HubMessage..., at time: Double = 1) -> [HubAction] {
      state.receive(messages.flatMap { hubProtocol.encode($0) }, at: second(time), limit: messageLimit)
    }

    mutating func tick(at time: Double) -> [HubAction] { state.tick(at: second(time), timing: HubTiming()) }

    func acknowledgement(_ id: Int64) -> HubAction { .send(hubProtocol.encode(.ack(sequenceID: id))) }
  }

  private func call(_ number: Int) -> HubMessage { .invocation(id: nil, target: "\(number)", arguments: []) }

  @Test(arguments: [
    (HubTransport.webSockets, 2, true, true), (.webSockets, 1, true, false), (.webSockets, 0, true, false),
    (.webSockets, 2, false, false), (.longPolling, 2, true, false), (.serverSentEvents, 2, true, false),
  ])
  func `it takes WebSockets, version 2 and the negotiation's word`(
    transport: HubTransport,
    version: Int,
    isAllowed: Bool,
    isStateful: Bool
  ) {
    var state = connected(version: version, transport: transport, allowsStatefulReconnect: isAllowed)
    #expect(state.isConnected)
    #expect(state.isStateful == isStateful)
    #expect(state.reattach(at: second(1)) == isStateful)
    _ = state.close(allowReconnect: true)
    #expect(!state.isStateful)
    #expect(state.reattach(at: second(1)) == false)
  }

  @Test(arguments: HubProtocol.allCases)
  func `what arrived is acknowledged at most once a second`(hubProtocol: HubProtocol) {
    var peer = Peer(hubProtocol)
    #expect(peer.tick(at: 1) == [])
    #expect(peer.receive(call(1), .ping, call(2)) == [.handle(call(1)), .handle(call(2))])
    #expect(peer.tick(at: 1.5) == [peer.acknowledgement(2)])
    #expect(peer.tick(at: 1.6) == [])
    #expect(peer.receive(call(3), at: 1.7) == [.handle(call(3))])
    #expect(peer.tick(at: 2.4) == [])
    #expect(peer.tick(at: 2.5) == [peer.acknowledgement(3)])
    #expect(peer.tick(at: 9) == [])
    // The acknowledgement was a sign of life.
    #expect(peer.tick(at: 17.4) == [])
    #expect(peer.tick(at: 17.5) == [.send(hubProtocol.encode(.ping))])
  }

  @Test func `all five types are numbered and no other`() {
    var peer = Peer()
    let numbered = everyMessage.filter(\.isNumbered)
    for message in numbered { #expect(peer.receive(message) == [.handle(message)]) }
    #expect(
      peer.receive(.ping, .sequence(sequenceID: Int64(numbered.count + 1)), .ack(sequenceID: 4)) == [.acknowledged(4)]
    )
    #expect(peer.tick(at: 2) == [peer.acknowledgement(Int64(numbered.count))])
    #expect(!HubMessage.close().isNumbered)
  }

  @Test(arguments: HubProtocol.allCases)
  func `after a reconnect each message is processed once`(hubProtocol: HubProtocol) {
    var peer = Peer(hubProtocol)
    #expect(peer.receive(call(1), call(2), call(3)).count == 3)
    #expect(peer.state.reattach(at: second(5)) == true)
    #expect(peer.receive(.sequence(sequenceID: 2), call(2), call(3), call(4), at: 5) == [.handle(call(4))])
    #expect(peer.tick(at: 6) == [peer.acknowledgement(4)])
  }

  @Test func `an acknowledgement that may have been lost is sent again`() {
    var peer = Peer()
    _ = peer.receive(call(1), call(2))
    #expect(peer.tick(at: 2) == [peer.acknowledgement(2)])
    #expect(peer.state.reattach(at: second(5)) == true)
    #expect(peer.receive(.sequence(sequenceID: 2), call(2), at: 5) == [])
    #expect(peer.tick(at: 6) == [peer.acknowledgement(2)])
    // This time it has arrived.
    #expect(peer.state.reattach(at: second(8)) == true)
    #expect(peer.receive(.sequence(sequenceID: 3), at: 8) == [])
    #expect(peer.tick(at: 10) == [])
  }

  @Test func `a reconnect during the replay loses nothing`() {
    var peer = Peer()
    _ = peer.receive(call(1), call(2), call(3), call(4))
    #expect(peer.state.reattach(at: second(5)) == true)
    #expect(peer.receive(.sequence(sequenceID: 1), call(1), at: 5) == [])
    #expect(peer.state.reattach(at: second(6)) == true)
    #expect(peer.receive(.sequence(sequenceID: 5), call(5), at: 6) == [.handle(call(5))])
    #expect(peer.state.reattach(at: second(7)) == true)
    #expect(peer.receive(.sequence(sequenceID: 1), at: 7) == [])
    #expect(peer.receive(call(1), call(2), call(3), call(4), call(5), call(6), at: 7) == [.handle(call(6))])
  }

  @Test func `what comes before the client's Sequence does not count`() {
    var peer = Peer()
    _ = peer.receive(call(1))
    #expect(peer.state.reattach(at: second(5)) == true)
    #expect(peer.receive(call(9), .ping, at: 5) == [])
    #expect(peer.receive(.sequence(sequenceID: 2), call(2), at: 5) == [.handle(call(2))])
  }

  @Test func `what a client sends again is no flood, up to what it can have kept`() {
    var peer = Peer()
    func receive(_ messages: [HubMessage]) -> [HubAction] {
      let bytes = messages.flatMap { HubProtocol.json.encode($0) }
      return peer.state.receive(bytes, at: second(1), limit: messageLimit, messagesPerSecond: 10)
    }
    #expect(receive((1...9).map(call)).count == 9)
    for round in 1...3 {
      #expect(peer.state.reattach(at: second(1)) == true)
      // Nine that have come, and ever more that have not.
      #expect(receive([.sequence(sequenceID: 1)] + (1...(9 + 200 * round)).map(call)).count == 200)
    }
    let padding = String(repeating: " ", count: 30_000)
    let long = HubMessage.invocation(id: nil, target: "T", arguments: [.string(padding)])
    for _ in 1...2 { #expect(receive([long]).count == 1) }
    #expect(receive([long] + (0...10).map(call)).last == .close(.protocolError(.tooManyMessages(limit: 10))))
  }

  static let sequences: [(Int64, HubProtocolError?)] = [
    (3, nil), (2, nil), (1, nil), (4, .sequenceTooHigh(4)), (.max, .sequenceTooHigh(.max)),
    (0, .malformedMessage(member: "sequenceId")), (-1, .malformedMessage(member: "sequenceId")),
    (.min, .malformedMessage(member: "sequenceId")),
  ]

  @Test(arguments: sequences)
  func `a Sequence beyond what arrived ends the connection`(id: Int64, error: HubProtocolError?) {
    for reattaches in [true, false] {
      var peer = Peer()
      _ = peer.receive(call(1), call(2))
      if reattaches { #expect(peer.state.reattach(at: second(5)) == true) }
      let actions = peer.receive(.sequence(sequenceID: id), at: 5)
      if let error {
        #expect(actions.last == .close(.protocolError(error)))
        #expect(actions.count == 2)
        #expect(!peer.state.isConnected)
        #expect(peer.state.reattach(at: second(6)) == false)
      } else {
        #expect(actions == [])
        #expect(peer.state.isStateful)
      }
    }
  }

  @Test(arguments: HubProtocol.allCases)
  func `a new WebSocket begins with a new message and no handshake`(hubProtocol: HubProtocol) {
    var peer = Peer(hubProtocol)
    let half = hubProtocol.encode(call(1)).dropLast(3)
    #expect(peer.state.receive(Array(half), at: second(1), limit: messageLimit) == [])
    #expect(peer.state.reattach(at: second(2)) == true)
    #expect(peer.receive(.sequence(sequenceID: 1), call(1), at: 2) == [.handle(call(1))])
  }

  @Test func `the clocks of the old WebSocket do not count on the new one`() {
    var peer = Peer()
    _ = peer.receive(.ping, at: 1)
    #expect(peer.state.reattach(at: second(50)) == true)
    #expect(peer.tick(at: 64.9) == [])
    #expect(peer.tick(at: 65) == [.send(HubProtocol.json.encode(.ping))])
    #expect(peer.tick(at: 80) == [.close(.clientTimeout)])
  }
}
