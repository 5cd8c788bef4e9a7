import SignalRProtocol
import Testing

@Suite struct HubConnectionStateTests {
  @Test func `a handshake must come within fifteen seconds`() {
    var state = HubConnectionState(at: second(100), transport: .webSockets)
    state.sent(at: second(114))
    #expect(state.receive(utf8("{"), at: second(114), limit: messageLimit) == [])
    #expect(state.tick(at: second(114.9), timing: HubTiming()) == [])
    let actions = state.tick(at: second(115), timing: HubTiming())
    #expect(
      actions == [.send(utf8(#"{"error":"Handshake was canceled."}"# + "\u{1E}")), .close(.handshakeTimeout)]
    )
    #expect(state.tick(at: second(200), timing: HubTiming()) == [])
  }

  @Test(arguments: HubProtocol.allCases)
  func `fifteen seconds without sending bring a ping`(hubProtocol: HubProtocol) {
    var state = connected(hubProtocol)
    let ping = HubAction.send(hubProtocol.encode(.ping))
    #expect(state.tick(at: second(14), timing: HubTiming()) == [])
    #expect(state.tick(at: second(15), timing: HubTiming()) == [ping])
    #expect(state.tick(at: second(16), timing: HubTiming()) == [])
    state.sent(at: second(20))
    #expect(state.tick(at: second(34), timing: HubTiming()) == [])
    #expect(state.tick(at: second(35), timing: HubTiming()) == [ping])
  }

  @Test func `a client that never pinged does not time out`() {
    var state = connected()
    for time in stride(from: 15.0, to: 600, by: 15) {
      #expect(state.tick(at: second(time), timing: HubTiming()).count == 1)
    }
    #expect(state.isConnected)
  }

  @Test(arguments: HubProtocol.allCases)
  func `a client that pinged once and falls silent times out`(hubProtocol: HubProtocol) {
    var state = connected(hubProtocol)
    #expect(state.receive(hubProtocol.encode(.ping), at: second(10), limit: messageLimit) == [])
    state.sent(at: second(39))
    #expect(state.tick(at: second(39.9), timing: HubTiming()) == [])
    #expect(state.tick(at: second(40), timing: HubTiming()) == [.close(.clientTimeout)])
    #expect(!state.isConnected)
  }

  @Test func `any bytes keep a client alive`() {
    var state = connected()
    _ = state.receive(HubProtocol.json.encode(.ping), at: second(10), limit: messageLimit)
    #expect(state.receive(utf8(#"{"type""#), at: second(30), limit: messageLimit) == [])
    state.sent(at: second(50))
    #expect(state.tick(at: second(50), timing: HubTiming()) == [])
  }

  @Test func `a clock that goes back does no harm`() {
    var state = connected()
    _ = state.receive(HubProtocol.json.encode(.ping), at: second(100), limit: messageLimit)
    state.sent(at: second(100))
    #expect(state.tick(at: second(1), timing: HubTiming()) == [])
    #expect(state.tick(at: HubInstant(nanoseconds: .max), timing: HubTiming()) == [.close(.clientTimeout)])
  }

  @Test(arguments: [
    (HubProtocol.json, utf8("nonsense\u{1E}")), (.json, utf8(#"{"type":1}"# + "\u{1E}")),
    (.json, hex("02 91 06 1e")),
    (.messagePack, hex("00")), (.messagePack, hex("01 c1")), (.messagePack, hex("02 91 01")),
    (.messagePack, hex("818002")), (.messagePack, hex("ffffffffff")),
    // JSON: 0x7B is a length.
    (.messagePack, utf8(String(repeating: #"{"type":6}"#, count: 13))),
  ])
  func `malformed and oversized messages end the connection with an error`(hubProtocol: HubProtocol, bytes: [UInt8])
    throws
  {
    var state = connected(hubProtocol)
    let actions = state.receive(bytes, at: second(1), limit: messageLimit)
    guard case .send(let farewell) = actions.first, case .close(.protocolError(let error)) = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(actions.count == 2)
    #expect(farewell == hubProtocol.encode(.close(error: "Connection closed with an error. \(error)")))
    #expect(!state.isConnected)
    #expect(state.receive(hubProtocol.encode(.ping), at: second(2), limit: messageLimit) == [])
  }

  @Test func `a message beyond the limit ends the connection, however it comes`() {
    for frames in [[messageLimit + 1], [messageLimit, 1]] {
      var state = connected()
      let actions = frames.flatMap { count in
        state.receive(Array(repeating: 0x20, count: count), at: second(1), limit: messageLimit)
      }
      #expect(actions.count == 2)
      #expect(actions.last == .close(.protocolError(.messageTooLarge(limit: messageLimit))))
    }
  }

  @Test(arguments: HubProtocol.allCases)
  func `what came before a malformed message is still handled`(hubProtocol: HubProtocol) {
    var state = connected(hubProtocol)
    let call = HubMessage.invocation(id: nil, target: "T", arguments: [])
    let bytes = hubProtocol.encode(call) + hubProtocol.framed([0xC1]) + hubProtocol.encode(call)
    let actions = state.receive(bytes, at: second(1), limit: messageLimit)
    #expect(actions.count == 3)
    #expect(actions.first == .handle(call))
  }

  @Test(arguments: HubProtocol.allCases, [HubMessage.close(), .close(error: "gone", allowReconnect: true)])
  func `a close from the client ends the connection`(hubProtocol: HubProtocol, close: HubMessage) {
    var state = connected(hubProtocol)
    let actions = state.receive(
      hubProtocol.encode(close) + hubProtocol.encode(.invocation(id: nil, target: "T", arguments: [])),
      at: second(1),
      limit: messageLimit
    )
    #expect(actions == [.close(.byClient)])
    #expect(!state.isConnected)
  }

  @Test func `draining invites the client back and names no error`() {
    var state = connected()
    #expect(
      state.close(allowReconnect: true) == [.send(utf8(#"{"type":7,"allowReconnect":true}"# + "\u{1E}"))]
    )
    #expect(state.close(allowReconnect: true) == [])
    #expect(!state.isConnected)
    var young = HubConnectionState(at: second(0), transport: .webSockets)
    #expect(young.close(allowReconnect: true) == [])
    #expect(young.receive(handshake(), at: second(0), limit: messageLimit) == [])
  }

  @Test func `an end with an error says it`() {
    var state = connected(.messagePack)
    #expect(state.close(error: "why", allowReconnect: false) == [.send(hex("07 93 07 a3776879 c2"))])
  }

  @Test(arguments: HubProtocol.allCases)
  func `messages are counted by the second, however many a frame holds`(hubProtocol: HubProtocol) {
    let ping = hubProtocol.encode(.ping)
    func receive(_ state: inout HubConnectionState, _ bytes: [UInt8], at time: Double) -> [HubAction] {
      state.receive(bytes, at: second(time), limit: messageLimit, messagesPerSecond: 10)
    }
    func isRefused(_ actions: [HubAction]) -> Bool {
      actions.last == .close(.protocolError(.tooManyMessages(limit: 10)))
    }
    var one = connected(hubProtocol)
    #expect(receive(&one, Array(repeatElement(ping, count: 10).joined()), at: 1) == [])
    #expect(receive(&one, Array(repeatElement(ping, count: 9).joined()), at: 2) == [])
    #expect(receive(&one, [], at: 2.5) == [])
    #expect(isRefused(receive(&one, ping, at: 2.9)))
    var many = connected(hubProtocol)
    let actions = receive(&many, Array(repeatElement(ping, count: 2_800).joined()), at: 1)
    #expect(isRefused(actions))
    let error = "Connection closed with an error. Too many messages; at most 10 a second are taken."
    #expect(actions.first == .send(hubProtocol.encode(.close(error: error))))
    // A piece of a message counts, too.
    var pieces = connected(hubProtocol)
    let long = hubProtocol.encode(.invocation(id: "1", target: "Shout", arguments: []))
    for byte in long.prefix(10) { #expect(receive(&pieces, [byte], at: 1) == []) }
    #expect(isRefused(receive(&pieces, [long[10]], at: 1)))
  }

  @Test func `what its owner finds wrong ends the connection, before the handshake too`() {
    let error = HubProtocolError.messageTooLarge(limit: 9)
    var state = connected()
    let farewell = "Connection closed with an error. The maximum message size of 9B was exceeded."
    let actions = state.refuse(error)
    #expect(actions == [.send(HubProtocol.json.encode(.close(error: farewell))), .close(.protocolError(error))])
    #expect(state.refuse(error) == [])
    var young = HubConnectionState(at: second(0), transport: .webSockets)
    guard case .send(let answer) = young.refuse(error).first else {
      Issue.record("no answer")
      return
    }
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix(#"{"error":"The handshake cannot be read. The maximum"#))
  }

  @Test func `unknown types are passed over`() {
    var state = connected()
    #expect(state.receive(utf8(#"{"type":77}"# + "\u{1E}"), at: second(1), limit: messageLimit) == [])
    #expect(state.isConnected)
  }

  @Test func `without stateful reconnect its messages are passed over`() {
    for hubProtocol in HubProtocol.allCases {
      var state = connected(hubProtocol, version: 2)
      for message in [HubMessage.ack(sequenceID: 9), .sequence(sequenceID: 9), .sequence(sequenceID: -1)] {
        #expect(state.receive(hubProtocol.encode(message), at: second(1), limit: messageLimit) == [])
      }
      #expect(state.isConnected)
      #expect(state.reattach(at: second(2)) == false)
    }
  }

  @Test func `a connection takes little memory`() {
    #expect(MemoryLayout<HubConnectionState>.size <= 120)
  }
}
