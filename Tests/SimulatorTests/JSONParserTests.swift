import Testing

@testable import Simulator

struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

  @Test func `every kind of value is read`() throws {
    let value = try parse(#" {"a": [1, -2.5e3, true, false, null], "b": {"c": "d"}, "e": {}, "f": []} "#)
    #expect(value["b"]?["c"] == .string("d"))
    guard case .array(let elements)? = value["a"] else {
      Issue.record("a is no array")
      return
    }
    #expect(elements == [.number("1"), .number("-2.5e3"), .boolean(true), .boolean(false), .null])
    #expect(value["e"] == .object([]))
    #expect(value["f"] == .array([]))
  }

  @Test func `escapes and surrogate pairs are decoded`() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#) == .string("\"\\/\u{8}\u{C}\n\r\té😀é"))
  }

  @Test func `a member's range covers its value in the source`() throws {
    let text = #"{"x": 1, "message" :  {"a": "b"}  }"#
    let member = try #require(try parse(text).members?.last)
    #expect(String(decoding: Array(text.utf8)[member.range], as: UTF8.self) == #"{"a": "b"}"#)
  }

  @Test(arguments: [
    "", "{", "[1,]", #"{"a"}"#, #"{"a":1,}"#, "01", "1.", "+1", "nul", #""abc"#, "\"a\nb\"", #""\x""#, #""\ud83d""#,
    #""\ud83dx""#, "1 2", #"{a:1}"#, "NaN", #""\u+123""#,
  ])
  func `malformed text is refused`(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try parse(text) }
  }

  @Test func `invalid UTF-8 is refused`() {
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
  }

  @Test func `nesting is bounded`() throws {
    let depth = JSONParser.maximumDepth
    _ = try parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    #expect(throws: JSONSyntaxError.self) { try parse(String(repeating: "[", count: depth + 1)) }
  }

  @Test func `what the writer writes the parser reads`() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("text", "a\"\\\n\r\t\u{1}é")
    writer.member("none", nil as String?)
    writer.beginArray("list")
    writer.beginObject()
    writer.member("n", 1)
    writer.endObject()
    writer.beginObject()
    writer.endObject()
    writer.endArray()
    writer.member("yes", true)
    writer.member("words", ["x", "y"])
    writer.endObject()
    let value = try JSONParser.parse(writer.bytes)
    #expect(value["text"] == .string("a\"\\\n\r\t\u{1}é"))
    #expect(value["none"] == nil)
    guard case .array(let elements)? = value["list"] else {
      Issue.record("list is no array")
      return
    }
    #expect(elements.map { $0["n"]?.integer } == [1, nil])
    #expect(value["yes"]?.boolean == true)
    #expect(value["words"] == .array([.string("x"), .string("y")]))
  }
}
