import SignalRProtocol
import Testing

@Suite struct HandshakeTests {
  private func receive(
    _ bytes: [UInt8],
    transport: HubTransport = .webSockets
  ) -> (actions: [HubAction], state: HubConnectionState) {
    var state = HubConnectionState(at: second(0), transport: transport)
    let actions = state.receive(bytes, at: second(0), limit: messageLimit)
    return (actions, state)
  }

  private func refusal(_ actions: [HubAction]) -> String? {
    guard case .send(let bytes) = actions.first, actions.dropFirst() == [.close(.handshakeRefused)] else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [0, 1, 2], HubProtocol.allCases)
  func `every version of every protocol is answered with an empty object`(version: Int, hubProtocol: HubProtocol) {
    for transport in [HubTransport.webSockets, .longPolling] {
      let (actions, state) = receive(
        utf8("{\"version\":\(version),\"x\":[1],\"protocol\":\"\(hubProtocol.rawValue)\"}\u{1E}"),
        transport: transport
      )
      #expect(actions == [.send(utf8("{}\u{1E}")), .established])
      #expect(state.isConnected)
      #expect(!state.isStateful)
      #expect(state.hubProtocol == hubProtocol)
    }
  }

  @Test func `before the handshake nothing is connected`() {
    let state = HubConnectionState(at: second(0), transport: .webSockets, allowsStatefulReconnect: true)
    #expect(!state.isConnected)
    #expect(!state.isStateful)
    #expect(state.hubProtocol == .json)
  }

  @Test func `protocols are named without regard to case`() {
    #expect(receive(utf8(#"{"protocol":"MessagePack","version":1}"# + "\u{1E}")).state.hubProtocol == .messagePack)
  }

  @Test(arguments: [
    (#"{"protocol":"blazorpack","version":1}"#, "The protocol 'blazorpack' is not supported."),
    (#"{"protocol":"a\"b","version":1}"#, #"The protocol 'a\"b' is not supported."#),
    (#"{"protocol":"json","version":3}"#, "The server does not support version 3 of the 'json' protocol."),
    (#"{"protocol":"json","version":-1}"#, "The server does not support version -1 of the 'json' protocol."),
    (
      #"{"protocol":"messagepack","version":9}"#, "The server does not support version 9 of the 'messagepack' protocol."
    ),
  ])
  func `unsupported protocols and versions are refused with the reason`(request: String, error: String) {
    var (actions, state) = receive(utf8(request + "\u{1E}"))
    #expect(refusal(actions) == "{\"error\":\"\(error)\"}\u{1E}")
    #expect(!state.isConnected)
    #expect(state.receive(handshake(), at: second(1), limit: messageLimit) == [])
  }

  @Test func `MessagePack cannot travel as text`() {
    let (actions, _) = receive(handshake(.messagePack), transport: .serverSentEvents)
    #expect(
      refusal(actions)
        == #"{"error":"Cannot use the 'messagepack' protocol on the current transport. "#
        + "The transport does not support 'Binary' transfer format.\"}\u{1E}"
    )
    #expect(receive(handshake(.json), transport: .serverSentEvents).state.isConnected)
  }

  @Test(arguments: [
    "nonsense", "{}", #"{"protocol":"json"}"#, #"{"protocol":1,"version":1}"#, "", "[]", "\u{2}\u{91}\u{6}",
  ])
  func `an unreadable handshake closes the connection`(text: String) {
    let (actions, state) = receive(utf8(text + "\u{1E}"))
    #expect(actions.count == 2)
    guard case .send(let answer) = actions.first, case .close(.protocolError) = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix(#"{"error":"The handshake cannot be read."#))
    #expect(!state.isConnected)
  }

  @Test func `a handshake may not be longer than a message`() {
    let (actions, state) = receive(Array(repeating: 0x20, count: messageLimit + 1))
    #expect(actions.last == .close(.protocolError(.messageTooLarge(limit: messageLimit))))
    #expect(!state.isConnected)
  }

  @Test(arguments: HubProtocol.allCases)
  func `messages may follow in the frame of the handshake`(hubProtocol: HubProtocol) {
    let call = HubMessage.invocation(id: "1", target: "T", arguments: [])
    let (actions, _) = receive(handshake(hubProtocol) + hubProtocol.encode(.ping) + hubProtocol.encode(call))
    #expect(actions == [.send(utf8("{}\u{1E}")), .established, .handle(call)])
  }

  /// All that is numbered, so that every one shows.
  private static let stream = everyMessage.filter(\.isNumbered)

  @Test(arguments: HubProtocol.allCases)
  func `a connection cut at every byte has the same messages`(hubProtocol: HubProtocol) {
    let bytes = handshake(hubProtocol) + Self.stream.flatMap { hubProtocol.encode($0) }
    let expected = [.send(utf8("{}\u{1E}")), .established] + Self.stream.map { HubAction.handle($0) }
    for cut in 0...bytes.count {
      var state = HubConnectionState(at: second(0), transport: .webSockets)
      var actions = state.receive(Array(bytes[..<cut]), at: second(0), limit: messageLimit)
      actions += state.receive(Array(bytes[cut...]), at: second(0), limit: messageLimit)
      #expect(actions == expected)
    }
    var state = HubConnectionState(at: second(0), transport: .webSockets)
    #expect(bytes.flatMap { state.receive([$0], at: second(0), limit: messageLimit) } == expected)
  }
}
