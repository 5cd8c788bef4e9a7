import Foundation
import BelfryJSON
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
    #expect(writer.bytes.allSatisfy { $0 >= 0x20 }, "0x1E would end a hub message")
    let back = try #require(try parsed(writer) as? [String])
    #expect(back.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
  }

  @Test func `single values are JSON, and what is no number is null`() {
    var writer = JSONWriter()
    writer.array { writer in
      writer.null()
      writer.bool(true)
      writer.bool(false)
      writer.integer(.min)
      for value in [0.1, -5, 1e300, .leastNonzeroMagnitude, .infinity, -.infinity, .nan] { writer.double(value) }
    }
    #expect(writer.text == "[null,true,false,-9223372036854775808,0.1,-5.0,1e+300,5e-324,null,null,null]")
  }

  @Test func `fields that were written before are shared between objects`() {
    var shared = JSONWriter()
    shared.field("b", 2)
    shared.field("c", "\u{1E}")
    var writer = JSONWriter()
    writer.array { writer in
      writer.object { $0.raw(shared.bytes) }
      writer.object { writer in
        writer.field("a", 1)
        writer.raw(shared.bytes)
        writer.dynamicKey("d\"")
        writer.raw(Array("[]".utf8))
      }
    }
    #expect(writer.text == #"[{"b":2,"c":"\u001e"},{"a":1,"b":2,"c":"\u001e","d\"":[]}]"#)
  }

  @Test func `names that are data are escaped too`() throws {
    let entries = ["a\"b": "1", "\\": "2", "\n": "3", "é": "4", "": "5"]
    let text = JSONWriter.object(entries)
    let back = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String]
    #expect(back == entries)
    #expect(JSONWriter.object([:]) == "{}")
    #expect(JSONWriter.object(["b": "2", "a": "1"]) == #"{"a":"1","b":"2"}"#)
  }

  @Test func `members that a program makes up are written in their order, null where there is no value`() {
    let members = [
      JSONMember("b", "text"), JSONMember("a", 7), JSONMember("c", true), JSONMember("d", nil as String?),
      JSONMember("e", nil as Int?), JSONMember("f", .array([.number("1.0")])),
    ]
    let expected = #"{"b":"text","a":7,"c":true,"d":null,"e":null,"f":[1.0]}"#
    #expect(JSONWriter.text(.object(members)) == expected)
    var writer = JSONWriter()
    writer.object { writer in
      writer.members(Array(members.prefix(2)))
      writer.members(Array(members.dropFirst(2)))
    }
    #expect(writer.text == expected)
  }
}
