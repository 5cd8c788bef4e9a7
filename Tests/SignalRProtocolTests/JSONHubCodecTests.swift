import SignalRProtocol
import Testing

private func decode(_ text: String) throws -> HubMessage? { try HubProtocol.json.decode(utf8(text)[...]) }

private func encode(_ message: HubMessage) -> String {
  String(decoding: HubProtocol.json.encode(message), as: UTF8.self)
}

@Suite struct JSONHubCodecTests {
  static let messages: [(HubMessage, String)] = [
    (
      .invocation(id: nil, target: "UnreadCountChanged", arguments: [.integer(3)]),
      #"{"type":1,"target":"UnreadCountChanged","arguments":[3]}"#
    ),
    (
      .invocation(id: "7", target: "Upload", arguments: [], streamIDs: ["s"]),
      #"{"type":1,"invocationId":"7","target":"Upload","arguments":[],"streamIds":["s"]}"#
    ),
    (.streamItem(id: "1", item: .string("é")), #"{"type":2,"invocationId":"1","item":"é"}"#),
    (.completion(id: "1", .void), #"{"type":3,"invocationId":"1"}"#),
    (.completion(id: "1", .value(.null)), #"{"type":3,"invocationId":"1","result":null}"#),
    (.completion(id: "1", .value(.bool(true))), #"{"type":3,"invocationId":"1","result":true}"#),
    (.completion(id: "1", .error("no")), #"{"type":3,"invocationId":"1","error":"no"}"#),
    (
      .streamInvocation(id: "2", target: "Count", arguments: [.integer(5)]),
      #"{"type":4,"invocationId":"2","target":"Count","arguments":[5]}"#
    ),
    (.cancelInvocation(id: "2"), #"{"type":5,"invocationId":"2"}"#),
    (.ping, #"{"type":6}"#),
    (.close(), #"{"type":7}"#),
    (.close(allowReconnect: true), #"{"type":7,"allowReconnect":true}"#),
    (.close(error: "x"), #"{"type":7,"error":"x"}"#),
    (.ack(sequenceID: 12), #"{"type":8,"sequenceId":12}"#),
    (.sequence(sequenceID: 13), #"{"type":9,"sequenceId":13}"#),
  ]

  @Test(arguments: messages)
  func `every message travels as the protocol says`(message: HubMessage, text: String) throws {
    #expect(encode(message) == text + "\u{1E}")
    #expect(try decode(text) == message)
  }

  @Test(arguments: everyMessage)
  func `what is written reads back the same, and only its end is the separator`(message: HubMessage) throws {
    let bytes = HubProtocol.json.encode(message)
    #expect(bytes.firstIndex(of: RecordBuffer.separator) == bytes.count - 1)
    #expect(try HubProtocol.json.decode(bytes.dropLast()) == message)
  }

  @Test(arguments: [
    #"{"arguments":["x"],"target":"T","type":1,"headers":{"Authorization":"Bearer secret"},"other":{"a":[1]}}"#,
    #" { "type" : 1 , "target" : "T" , "invocationId" : null, "arguments" : [ "x" ] } "#,
    #"{"type":1,"target":"T","arguments":["x"],"headers":[1,{"a":null}],"streamIds":null}"#,
  ])
  func `any key order, unknown keys and white space are fine`(text: String) throws {
    #expect(try decode(text) == .invocation(id: nil, target: "T", arguments: [.string("x")]))
  }

  @Test(arguments: [#"{"type":10}"#, #"{"type":99,"x":1}"#, #"{"type":0}"#, #"{"type":-1}"#])
  func `unknown types are ignored`(text: String) throws {
    #expect(try decode(text) == nil)
  }

  @Test(arguments: [
    (#"{}"#, "type"), (#"{"type":"1"}"#, "type"), (#"{"type":1e99}"#, "type"), (#"[]"#, "type"), ("6", "type"),
    (#"{"type":1}"#, "target"), (#"{"type":1,"target":7}"#, "target"),
    (#"{"type":1,"target":"T","invocationId":7}"#, "invocationId"),
    (#"{"type":1,"target":"T","arguments":1}"#, "arguments"), (#"{"type":4,"target":"T"}"#, "invocationId"),
    (#"{"type":3}"#, "invocationId"), (#"{"type":8}"#, "sequenceId"), (#"{"type":9,"sequenceId":"1"}"#, "sequenceId"),
    (#"{"type":1,"target":"T","streamIds":[1]}"#, "streamIds"),
  ])
  func `a missing or wrong member is named`(text: String, member: String) {
    #expect(throws: HubProtocolError.malformedMessage(member: member)) { try decode(text) }
  }

  @Test func `arguments may be absent`() throws {
    #expect(try decode(#"{"type":1,"target":"T"}"#) == .invocation(id: nil, target: "T", arguments: []))
  }

  @Test func `a message put together from parts is framed like an encoded one`() {
    #expect(HubProtocol.json.framed(utf8(#"{"type":6}"#)) == HubProtocol.json.encode(.ping))
  }
}
