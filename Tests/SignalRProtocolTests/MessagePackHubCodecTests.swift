import SignalRProtocol
import Testing

private func decode(_ bytes: [UInt8]) throws -> HubMessage? { try HubProtocol.messagePack.decode(bytes[...]) }

@Suite struct MessagePackHubCodecTests {
  /// The examples of HubProtocol.md ("xyz", "method", 42) and more in their way.
  static let messages: [(HubMessage, String)] = [
    (
      .invocation(id: "xyz", target: "method", arguments: [.integer(42)]),
      "96 01 80 a378797a a66d6574686f64 912a 90"
    ),
    (.invocation(id: nil, target: "method", arguments: [.integer(42)]), "96 01 80 c0 a66d6574686f64 912a 90"),
    (.invocation(id: nil, target: "T", arguments: [], streamIDs: ["s"]), "96 01 80 c0 a154 90 91a173"),
    (.streamItem(id: "xyz", item: .integer(42)), "94 02 80 a378797a 2a"),
    (.completion(id: "xyz", .error("Error")), "95 03 80 a378797a 01 a54572726f72"),
    (.completion(id: "xyz", .void), "94 03 80 a378797a 02"),
    (.completion(id: "xyz", .value(.integer(42))), "95 03 80 a378797a 03 2a"),
    (.completion(id: "xyz", .value(.null)), "95 03 80 a378797a 03 c0"),
    (
      .streamInvocation(id: "xyz", target: "method", arguments: [.integer(42)]),
      "96 04 80 a378797a a66d6574686f64 912a 90"
    ),
    (
      .streamInvocation(id: "xyz", target: "T", arguments: [.string("é")], streamIDs: ["s", "t"]),
      "96 04 80 a378797a a154 91a2c3a9 92a173a174"
    ),
    (.cancelInvocation(id: "xyz"), "93 05 80 a378797a"),
    (.ping, "91 06"),
    (.close(), "93 07 c0 c2"),
    (.close(allowReconnect: true), "93 07 c0 c3"),
    (.close(error: "xyz"), "93 07 a378797a c2"),
    (.ack(sequenceID: 1_337), "92 08 cd0539"),
    (.sequence(sequenceID: 1_234), "92 09 cd04d2"),
  ]

  @Test(arguments: messages)
  func `every message travels as the protocol says`(message: HubMessage, text: String) throws {
    let body = hex(text)
    #expect(HubProtocol.messagePack.encode(message) == [UInt8(body.count)] + body)
    #expect(HubProtocol.messagePack.framed(body) == [UInt8(body.count)] + body)
    #expect(try decode(body) == message)
  }

  @Test(arguments: everyMessage)
  func `what is written reads back the same`(message: HubMessage) throws {
    var rest = HubProtocol.messagePack.encode(message)[...]
    var buffer = LengthPrefixedBuffer()
    let body = try #require(try buffer.next(from: &rest, limit: messageLimit))
    #expect(rest.isEmpty)
    #expect(try decode(Array(body)) == message)
  }

  @Test(arguments: [
    "95 01 80 c0 a154 9101", "96 01 80 c0 a154 9101 90", "96 01 80 a0 a154 9101 90", "96 01 80 c0 a154 9101 c0",
    "97 01 80 c0 a154 9101 90 c0", "98 01 80 c0 a154 9101 90 93010203 81a1617f",
    // Headers of any kind.
    "96 01 81 ad417574686f72697a6174696f6e a6426561726572 c0 a154 9101 90", "96 01 c0 c0 a154 9101 90",
    "96 01 82 01 02 c0 9181c0c0 c0 a154 9101 90", "96 01 81 a1ff a1ff c0 a154 9101 90",
  ])
  func `older and newer shapes and any headers are fine`(text: String) throws {
    #expect(try decode(hex(text)) == .invocation(id: nil, target: "T", arguments: [.integer(1)]))
  }

  @Test func `arguments may be nil`() throws {
    #expect(try decode(hex("95 01 80 c0 a154 c0")) == .invocation(id: nil, target: "T", arguments: []))
  }

  @Test func `a close may be short`() throws {
    #expect(try decode(hex("91 07")) == .close())
    #expect(try decode(hex("92 07 a178")) == .close(error: "x"))
    #expect(try decode(hex("94 07 c0 c3 01")) == .close(allowReconnect: true))
  }

  @Test(arguments: ["91 0a", "93 63 80 c0", "91 00", "91 ff", "92 0a 91 91 90"])
  func `unknown types are ignored`(text: String) throws {
    #expect(try decode(hex(text)) == nil)
  }

  @Test(arguments: [
    ("90", "type"), ("80", "type"), ("06", "type"), ("91a131", "type"), ("91c0", "type"),
    ("91 01", "arguments"), ("94 01 80 c0 a154", "arguments"), ("95 01 80 c0 07 90", "target"),
    ("95 01 80 07 a154 90", "invocationId"), ("95 01 80 c0 a154 01", "arguments"),
    ("96 01 80 c0 a154 90 01", "streamIds"), ("96 01 80 c0 a154 90 9101", "streamIds"),
    ("96 04 80 c0 a154 90 90", "invocationId"), ("96 04 80 a0 a154 90 90", "invocationId"), ("93 02 80 a131", "item"),
    ("93 03 80 a131", "resultKind"), ("94 03 80 a131 04", "resultKind"), ("94 03 80 a131 c0", "resultKind"),
    ("94 03 80 a131 01", "error"), ("95 03 80 a131 01 02", "error"), ("94 03 80 a131 03", "result"),
    ("92 05 80", "invocationId"), ("93 05 80 c0", "invocationId"), ("91 08", "sequenceId"), ("92 09 c0", "sequenceId"),
    ("92 08 cb3ff8000000000000", "sequenceId"),
  ])
  func `a missing or wrong element is named`(text: String, member: String) {
    #expect(throws: HubProtocolError.malformedMessage(member: member)) { try decode(hex(text)) }
  }

  @Test(arguments: [
    "", "c1", "91 06 00", "96 01 80 c0 a154 9101 90 90", "97 01 80 c0 a154 9101 90", "92 0a", "dc", "91",
    "96 01 ddffffffff c0 a154 90 90", "96 01 80 c0 a1ff 90 90",
  ])
  func `what is no single array is refused`(text: String) {
    #expect(throws: HubProtocolError.self) { try decode(hex(text)) }
  }

  /// The official Swift client counts characters where bytes are meant.
  @Test(arguments: ["é", "žluťoučký", "漢字", "😀", "ab😀", "Ünï", "éa", "aé", "הה"])
  func `a text whose length counts characters is an error and nothing worse`(text: String) {
    let body = hex("96 01 80 a131 aa") + utf8("MarkAsRead") + [0x91, 0xA0 | UInt8(text.count)] + utf8(text) + [0x90]
    #expect(throws: HubProtocolError.self) { try decode(body) }
  }
}
