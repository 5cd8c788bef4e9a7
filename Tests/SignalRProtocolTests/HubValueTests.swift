import BelfryJSON
import SignalRProtocol
import Testing

private func parse(_ text: String) throws -> HubValue { HubValue(try JSONParser.parse(utf8(text))) }

private func written(_ value: HubValue) -> String {
  var writer = JSONWriter()
  writer.value(value)
  return writer.text
}

@Suite struct HubValueTests {
  @Test(arguments: [
    ("null", HubValue.null), ("true", .bool(true)), (" false ", .bool(false)), ("0", .integer(0)),
    ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)), ("1.5", .double(1.5)), ("-2e3", .double(-2_000)),
    ("9223372036854775808", .double(9_223_372_036_854_775_808)), (#""""#, .string("")), ("[]", .array([])),
    ("{ }", .object([])), (#"[1, "a",null]"#, .array([.integer(1), .string("a"), .null])),
    (#"{"a":{"b":[true]}}"#, .object([HubMember("a", .object([HubMember("b", .array([.bool(true)]))]))])),
    ("1e999", .string("1e999")), ("-1e999", .string("-1e999")), ("1e-999", .double(0)),
  ])
  func `values are what JSON says, and no number is too large`(text: String, value: HubValue) throws {
    #expect(try parse(text) == value)
  }

  @Test func `what is written reads back the same`() throws {
    let text = written(everyValue)
    #expect(try parse(text) == everyValue)
    #expect(!text.utf8.contains(RecordBuffer.separator))
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `bytes are Base64 in JSON, as in RFC 4648`(bytes: String, text: String) {
    #expect(written(.data(utf8(bytes))) == "\"\(text)\"")
  }

  @Test func `all digits of Base64 are used`() {
    #expect(written(.data([0xFB, 0xFF, 0xBF, 0x00, 0x10, 0x83])) == #""+/+/ABCD""#)
  }

  @Test func `JSON has no infinity`() {
    #expect(written(.array([.double(.infinity), .double(.nan), .double(5)])) == "[null,null,5.0]")
  }

  @Test func `of a repeated member the last one counts`() throws {
    let object = try parse(#"{"a":1,"a":2,"b":null}"#)
    #expect(object["a"] == .integer(2))
    #expect(object["b"] == nil)
    #expect(object["c"] == nil)
  }

  @Test func `a whole number is one even in floating point`() {
    #expect(HubValue.double(7).integerValue == 7)
    #expect(HubValue.double(7.5).integerValue == nil)
    #expect(HubValue.double(1e300).integerValue == nil)
    #expect(HubValue.string("7").integerValue == nil)
  }
}
