import SignalRProtocol
import Testing

private func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }

@Suite struct NegotiateTests {
  @Test func `the version is absent, a number or an error`() throws {
    #expect(try NegotiateVersion.parse(nil) == .zero)
    #expect(try NegotiateVersion.parse("0") == .zero)
    #expect(try NegotiateVersion.parse("1") == .one)
    #expect(try NegotiateVersion.parse("7") == .one)
    for text in ["", "x", "-1", "1.5"] {
      #expect(throws: NegotiateError.invalidVersion) { try NegotiateVersion.parse(text) }
    }
  }

  @Test func `version 1 has a secret token and version 0 does not`() {
    #expect(
      text(NegotiateResponse.accepted(version: .one, id: "i", token: "t", transports: [.webSockets]))
        == #"{"negotiateVersion":1,"connectionId":"i","connectionToken":"t","availableTransports":"#
        + #"[{"transport":"WebSockets","transferFormats":["Text","Binary"]}]}"#
    )
    #expect(
      text(NegotiateResponse.accepted(version: .zero, id: "i", token: "t", transports: HubTransport.allCases))
        == #"{"negotiateVersion":0,"connectionId":"i","availableTransports":"#
        + #"[{"transport":"WebSockets","transferFormats":["Text","Binary"]},"#
        + #"{"transport":"ServerSentEvents","transferFormats":["Text"]},"#
        + #"{"transport":"LongPolling","transferFormats":["Text","Binary"]}]}"#
    )
  }

  @Test func `stateful reconnect is only spoken of where it is given`() {
    #expect(
      text(
        NegotiateResponse.accepted(version: .one, id: "i", token: "t", transports: [], useStatefulReconnect: true)
      )
        == #"{"negotiateVersion":1,"connectionId":"i","connectionToken":"t","useStatefulReconnect":true,"#
        + #""availableTransports":[]}"#
    )
  }

  @Test func `a redirect has an address and a token`() {
    #expect(
      text(NegotiateResponse.redirected(url: "https://b.example/hubs/family?x=\"1\"", accessToken: "secret"))
        == #"{"url":"https://b.example/hubs/family?x=\"1\"","accessToken":"secret"}"#
    )
  }

  @Test(arguments: [
    (NegotiateError.invalidVersion, "The client requested an invalid protocol version."),
    (.wrongNode, "This user's connections belong to another node."),
  ])
  func `a refusal is stated in the body`(error: NegotiateError, reason: String) {
    #expect(text(NegotiateResponse.refused(error)) == "{\"error\":\"\(reason)\"}")
  }
}
