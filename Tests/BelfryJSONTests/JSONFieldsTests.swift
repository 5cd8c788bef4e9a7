import BelfryJSON
import Testing

@Suite struct JSONFieldsTests {
  private func fields(_ text: String) throws -> JSONFields { try JSONFields(JSONParser.parse(Array(text.utf8))) }

  private func problem<Value>(_ text: String, _ read: (JSONFields) throws(JSONFieldError) -> Value) throws -> String? {
    let fields = try fields(text)
    do throws(JSONFieldError) {
      _ = try read(fields)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `fields of every kind are read`() throws {
    let fields = try fields(
      #"{"s":"x","i":7,"b":true,"n":null,"t":{"a":"1"},"l":["p","q"],"o":{"i":1},"os":[{"i":2},{"i":3}]}"#
    )
    #expect(try fields.string("s") == "x")
    #expect(try fields.integer("i") == 7)
    #expect(try fields.boolean("b"))
    #expect(try fields.optionalString("n") == nil)
    #expect(try fields.optionalInteger("absent") == nil)
    #expect(try fields.texts("t") == ["a": "1"])
    #expect(try fields.object("o") { (o) throws(JSONFieldError) in try o.integer("i") } == 1)
    #expect(try fields.objects("os") { (o) throws(JSONFieldError) in try o.integer("i") } == [2, 3])
    #expect(try fields.elements("l") { (value) throws(JSONFieldError) in value.string } == ["p", "q"])
    #expect(try fields.elements("absent") { (value) throws(JSONFieldError) in value.string } == nil)
    #expect(try fields.value("s", expected: "x", { $0 == "x" ? 1 : nil }) == 1)
  }

  @Test func `a problem is reported with its place and without any value`() throws {
    #expect(try problem("{}") { (f) throws(JSONFieldError) in try f.string("a") } == "'a' is missing")
    #expect(try problem(#"{"a":null}"#) { (f) throws(JSONFieldError) in try f.integer("a") } == "'a' is missing")
    #expect(
      try problem(#"{"a":1.5}"#) { (f) throws(JSONFieldError) in try f.integer("a") } == "expected a whole number at a"
    )
    #expect(
      try problem(#"{"list":[{"a":"x"},{"a":{"b":7}}]}"#) { (f) throws(JSONFieldError) in
        try f.objects("list") { (o) throws(JSONFieldError) in
          try o.string("a")
        }
      } == "expected a string at list[1].a"
    )
    #expect(
      try problem(#"{"o":{"p":{}}}"#) { (f) throws(JSONFieldError) in
        try f.object("o") { (o) throws(JSONFieldError) in
          try o.object("p") { (p) throws(JSONFieldError) in try p.string("q") }
        }
      } == "'q' is missing at o.p"
    )
    #expect(
      try problem(#"{"t":{"secret":1}}"#) { (f) throws(JSONFieldError) in try f.texts("t") } == "expected strings at t"
    )
  }
}
