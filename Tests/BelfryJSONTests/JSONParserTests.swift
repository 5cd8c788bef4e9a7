import BelfryJSON
import Testing

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

  @Test func `half a surrogate pair is refused, or replaced where that is asked for`() throws {
    let text = Array(#"["\ud83d","\ude00\ud83d","\ud83dx","\ud83d\u0041"]"#.utf8)
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
    let replaced = try JSONParser.parse(text[...], loneSurrogates: .replaced)
    #expect(
      replaced.array?.map(\.string) == ["\u{FFFD}", "\u{FFFD}\u{FFFD}", "\u{FFFD}x", "\u{FFFD}A"]
    )
  }

  @Test func `a byte order mark is skipped`() throws {
    #expect(try JSONParser.parse([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == .array([.number("1")]))
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0xEF, 0xBB]) }
  }

  @Test func `of a repeated member the last one counts`() throws {
    let object = try parse(#"{"a":1,"a":2,"b":null}"#)
    #expect(object["a"]?.integer == 2)
    #expect(object["b"] == nil)
    #expect(object["c"] == nil)
  }

  @Test(arguments: [("1", 1), ("-7", -7), ("1.0", 1), ("1e3", 1_000), ("1.5", nil), ("1e99", nil)])
  func `a whole number is one however it is written`(text: String, number: Int?) throws {
    #expect(try parse(text).integer == number)
  }

  @Test func `every prefix of a text is refused without harm`() throws {
    let text = Array(#"{"type":1,"target":"Ünï","arguments":[1.5e2,null,true,"\ud83d\ude00",{"a":[]}]}"#.utf8)
    _ = try JSONParser.parse(text)
    for end in 0..<text.count {
      #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text[..<end]) }
    }
  }
}
