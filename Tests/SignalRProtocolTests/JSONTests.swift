import JSON
import Testing

@testable import SignalRProtocol

private func parse(_ text: String) throws -> HubValue { try HubValue.parse(Array(text.utf8)[...]) }

private func written(_ value: HubValue) -> String {
  var writer = HubJSONWriter()
  writer.value(value)
  return String(decoding: writer.bytes, as: UTF8.self)
}

@Suite struct JSONTests {
  @Test(arguments: [
    ("null", HubValue.null), ("true", .bool(true)), (" false ", .bool(false)), ("0", .integer(0)),
    ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)), ("1.5", .double(1.5)), ("-2e3", .double(-2_000)),
    ("9223372036854775808", .double(9_223_372_036_854_775_808)), (#""""#, .string("")), ("[]", .array([])),
    ("{ }", .object([])), (#"[1, "a",null]"#, .array([.integer(1), .string("a"), .null])),
    (#"{"a":{"b":[true]}}"#, .object([HubMember("a", .object([HubMember("b", .array([.bool(true)]))]))])),
  ])
  func `values are read as RFC 8259 says`(text: String, value: HubValue) throws {
    #expect(try parse(text) == value)
  }

  @Test(arguments: [
    (#""a\n\t\"\\\/\b\f\r""#, "a\n\t\"\\/\u{8}\u{C}\r"), (#""\u00e9\u20AC""#, "é€"), (#""\ud83d\ude00""#, "😀"),
    (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"), ("\"žluťoučký 🐎\"", "žluťoučký 🐎"),
  ])
  func `strings keep every character`(text: String, value: String) throws {
    #expect(try parse(text) == .string(value))
  }

  @Test(arguments: [
    "", " ", "nul", "tru", "01", "-", "1.", ".5", "1e", "+1", "[", "[1", "[1,", "[1,]", "{", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#, "{a:1}", #"""#, #""\x""#, #""\u12""#, #""\u12g4""#, "\"\u{1}\"", "1 2", "[1]]", "1e999", "NaN",
  ])
  func `what is no JSON is refused`(text: String) {
    #expect(throws: HubProtocolError.self) { try parse(text) }
  }

  @Test func `bytes that are no UTF-8 are refused`() {
    let bytes: [UInt8] = [0x22, 0xFF, 0xFE, 0x22]
    #expect(throws: HubProtocolError.self) { try HubValue.parse(bytes[...]) }
  }

  @Test func `nesting is bounded`() throws {
    let depth = JSONParser.maximumDepth
    _ = try parse(String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1))
    for opening in ["[", #"{"a":"#] {
      #expect(throws: HubProtocolError.self) { try parse(String(repeating: opening, count: 10_000)) }
    }
  }

  @Test func `every prefix of a message is refused without harm`() throws {
    let text = Array(#"{"type":1,"target":"Ünï","arguments":[1.5e2,null,true,"\ud83d\ude00",{"a":[]}]}"#.utf8)
    _ = try HubValue.parse(text[...])
    for end in 0..<text.count {
      #expect(throws: HubProtocolError.self) { try HubValue.parse(text[..<end]) }
    }
  }

  @Test func `what is written reads back the same`() throws {
    let value = HubValue.object([
      HubMember("text", .string("quote \" slash \\ line\n tab\t bell\u{7} separator\u{1E} é 😀")),
      HubMember("numbers", .array([.integer(.min), .integer(0), .double(0.1), .double(1e300)])),
      HubMember("nothing", .null), HubMember("empty", .object([])), HubMember("yes", .bool(true)),
    ])
    let text = written(value)
    #expect(try parse(text) == value)
    #expect(!text.utf8.contains(RecordBuffer.separator))
    #expect(written(.double(.infinity)) == "null")
  }

  @Test func `of a repeated member the last one counts`() throws {
    let object = try parse(#"{"a":1,"a":2,"b":null}"#)
    #expect(object["a"] == .integer(2))
    #expect(object["b"] == nil)
    #expect(object["c"] == nil)
  }
}
