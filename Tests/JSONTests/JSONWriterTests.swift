import Foundation
import JSON
import Testing

/// What the writer writes, read by Foundation's parser.
@Suite struct JSONWriterTests {
  private func parsed(_ writer: JSONWriter) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(writer.bytes), options: .fragmentsAllowed)
  }

  @Test func `objects, arrays and all kinds of fields nest with their commas`() throws {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("text", "a")
      writer.field("number", -7)
      writer.field("flag", true)
      writer.optionalField("absent", nil)
      writer.optionalField("present", "b")
      writer.nullableField("null", nil)
      writer.nullableField("value", "c")
      writer.object("empty") { _ in }
      writer.array("list") { writer in
        writer.integer(1)
        writer.string("two")
        writer.object { $0.field("three", 3) }
        writer.array { _ in }
        writer.raw("null")
      }
      writer.key("raw")
      writer.raw("[1.5]")
      writer.dynamicField("dynamic", "d")
      writer.field("last", false)
    }
    #expect(
      writer.text
        == #"{"text":"a","number":-7,"flag":true,"present":"b","null":null,"value":"c","empty":{},"#
        + #""list":[1,"two",{"three":3},[],null],"raw":[1.5],"dynamic":"d","last":false}"#
    )
    let object = try #require(try parsed(writer) as? [String: Any])
    #expect(object.count == 11)
    #expect((object["list"] as? [Any])?.count == 5)
  }

  @Test func `every character comes back as it was`() throws {
    let ascii = String(String.UnicodeScalarView((0...0x7F).compactMap(Unicode.Scalar.init)))
    let texts = [
      "", ascii, "\"\\/", "\r\n\t\u{0}\u{1F}\u{7F}", "\u{2028}\u{2029}\u{FEFF}", "é à ü ß 漢字 עברית",
      "👨‍👩‍👧‍👦🇩🇪🏳️‍🌈", "e\u{301}", "{{x}} </script>",
    ]
    var writer = JSONWriter()
    writer.array { writer in for text in texts { writer.string(text) } }
    let back = try #require(try parsed(writer) as? [String])
    #expect(back.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
  }

  @Test func `names that are data are escaped too`() throws {
    let entries = ["a\"b": "1", "\\": "2", "\n": "3", "é": "4", "": "5"]
    let text = JSONWriter.object(entries)
    let back = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String]
    #expect(back == entries)
    #expect(JSONWriter.object([:]) == "{}")
    #expect(JSONWriter.object(["b": "2", "a": "1"]) == #"{"a":"1","b":"2"}"#)
  }
}
