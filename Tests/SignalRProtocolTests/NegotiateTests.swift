import SignalRProtocol
import Testing

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
    let one = NegotiateResponse.accepted(version: .one, id: "i", token: "t", transports: [.webSockets])
    #expect(
      String(decoding: one, as: UTF8.self)
        == #"{"negotiateVersion":1,"connectionId":"i","connectionToken":"t","availableTransports":"#
        + #"[{"transport":"WebSockets","transferFormats":["Text","Binary"]}]}"#
    )
    let zero = NegotiateResponse.accepted(version: .zero, id: "i", token: "t", transports: HubTransport.allCases)
    #expect(
      String(decoding: zero, as: UTF8.self)
        == #"{"negotiateVersion":0,"connectionId":"i","availableTransports":"#
        + #"[{"transport":"WebSockets","transferFormats":["Text","Binary"]},"#
        + #"{"transport":"ServerSentEvents","transferFormats":["Text"]},"#
        + #"{"transport":"LongPolling","transferFormats":["Text","Binary"]}]}"#
    )
  }

  @Test func `a refusal is told in the body`() {
    let body = String(decoding: NegotiateResponse.refused(.invalidVersion), as: UTF8.self)
    #expect(body == #"{"error":"The client requested an invalid protocol version."}"#)
  }
}
