import SignalRProtocol
import Testing

private func second(_ seconds: Double) -> HubInstant { HubInstant(nanoseconds: UInt64(seconds * 1e9)) }

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

private let handshake = #"{"protocol":"json","version":1}"# + "\u{1E}"

@Suite struct HubConnectionStateTests {
  private func connected() -> HubConnectionState {
    var state = HubConnectionState(at: second(0))
    _ = state.receive(bytes(handshake), at: second(0))
    return state
  }

  private func refusal(_ actions: [HubAction]) -> String? {
    guard case .send(let bytes) = actions.first, actions.dropFirst().first == .close(.handshakeRefused) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: 0...2)
  func `a handshake is answered with an empty object`(version: Int) {
    var state = HubConnectionState(at: second(0))
    #expect(!state.isConnected)
    let actions = state.receive(bytes("{\"version\":\(version),\"protocol\":\"json\",\"x\":1}\u{1E}"), at: second(1))
    #expect(actions == [.send(bytes("{}\u{1E}")), .established])
    #expect(state.isConnected)
  }

  @Test func `messages may follow in the frame of the handshake`() {
    var state = HubConnectionState(at: second(0))
    let call = #"{"type":1,"target":"T","arguments":[],"invocationId":"1"}"# + "\u{1E}"
    let actions = state.receive(bytes(handshake + #"{"type":6}"# + "\u{1E}" + call), at: second(0))
    #expect(
      actions == [
        .send(bytes("{}\u{1E}")), .established,
        .handle(.invocation(id: "1", target: "T", arguments: [])),
      ]
    )
  }

  @Test func `unsupported protocols and versions are refused with the reason`() {
    for (request, error) in [
      (#"{"protocol":"messagepack","version":1}"#, "The protocol 'messagepack' is not supported."),
      (#"{"protocol":"json","version":3}"#, "The server does not support version 3 of the 'json' protocol."),
    ] {
      var state = HubConnectionState(at: second(0))
      let actions = state.receive(bytes(request + "\u{1E}"), at: second(0))
      #expect(refusal(actions) == "{\"error\":\"\(error)\"}\u{1E}")
      #expect(state.receive(bytes(handshake), at: second(1)) == [])
    }
  }

  @Test(arguments: ["nonsense", "{}", #"{"protocol":"json"}"#, #"{"protocol":1,"version":1}"#, ""])
  func `an unreadable handshake closes the connection`(text: String) {
    var state = HubConnectionState(at: second(0))
    let actions = state.receive(bytes(text + "\u{1E}"), at: second(0))
    #expect(actions.count == 2)
    guard case .close(.protocolError) = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(!state.isConnected)
  }

  @Test func `a handshake must come within fifteen seconds`() {
    var state = HubConnectionState(at: second(100))
    #expect(state.tick(at: second(114.9), timing: HubTiming()) == [])
    let actions = state.tick(at: second(115), timing: HubTiming())
    #expect(actions.last == .close(.handshakeTimeout))
    #expect(state.tick(at: second(200), timing: HubTiming()) == [])
  }

  @Test func `fifteen seconds without sending bring a ping`() {
    var state = connected()
    let ping = HubAction.send(bytes(#"{"type":6}"# + "\u{1E}"))
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

  @Test func `a client that pinged once and falls silent times out`() {
    var state = connected()
    #expect(state.receive(bytes(#"{"type":6}"# + "\u{1E}"), at: second(10)) == [])
    state.sent(at: second(39))
    #expect(state.tick(at: second(39.9), timing: HubTiming()) == [])
    #expect(state.tick(at: second(40), timing: HubTiming()) == [.close(.clientTimeout)])
  }

  @Test func `any bytes keep a client alive`() {
    var state = connected()
    _ = state.receive(bytes(#"{"type":6}"# + "\u{1E}"), at: second(10))
    #expect(state.receive(bytes(#"{"type""#), at: second(30)) == [])
    state.sent(at: second(50))
    #expect(state.tick(at: second(50), timing: HubTiming()) == [])
  }

  @Test func `malformed and oversized messages end the connection with an error`() {
    for text in ["nonsense\u{1E}", #"{"type":1}"# + "\u{1E}", String(repeating: "x", count: 32 * 1_024 + 1)] {
      var state = connected()
      let actions = state.receive(bytes(text), at: second(1))
      guard case .send(let farewell) = actions.first, case .close(.protocolError) = actions.last else {
        Issue.record("\(actions)")
        continue
      }
      #expect(
        String(decoding: farewell, as: UTF8.self).hasPrefix(#"{"type":7,"error":"Connection closed with an error."#)
      )
      #expect(state.receive(bytes(handshake), at: second(2)) == [])
    }
  }

  @Test func `a close from the client ends the connection`() {
    var state = connected()
    let actions = state.receive(
      bytes(#"{"type":7}"# + "\u{1E}" + #"{"type":1,"target":"T"}"# + "\u{1E}"),
      at: second(1)
    )
    #expect(actions == [.close(.byClient)])
    #expect(!state.isConnected)
  }

  @Test func `draining invites the client back and names no error`() {
    var state = connected()
    #expect(
      state.close(allowReconnect: true) == [.send(bytes(#"{"type":7,"allowReconnect":true}"# + "\u{1E}"))]
    )
    #expect(state.close(allowReconnect: true) == [])
    var young = HubConnectionState(at: second(0))
    #expect(young.close(allowReconnect: true) == [])
  }
}
