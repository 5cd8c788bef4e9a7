import BelfryJSON
import Testing

@testable import NotificationModel

/// An operator's file in YAML and in JSON.
@Suite struct CatalogueTextTests {
  private func text(json: String) throws -> CatalogueText { try CatalogueText(json: Array(json.utf8)) }

  @Test(arguments: [
    #"{"version":1,"events":[{"name":"TableIsSet"}]}"#, "{\n  \"version\": 1,\n  \"currency\": \"EUR\"\n}\n",
  ])
  func `JSON that YAML reads alike stays as it was given`(_ json: String) throws {
    #expect(try text(json: json).yaml == json)
  }

  @Test(arguments: [
    (#"{"version":1,"name":"\ud83d\ude00"}"#, #"{"version":1,"name":"😀"}"#),
    ("{\"version\":1,\n\t\"name\"\t:\t\"a\\/b\"}", #"{"version":1,"name":"a/b"}"#),
  ])
  func `whatever JSON says, the file says the same`(_ json: String, _ same: String) throws {
    #expect(String(decoding: try text(json: json).json(), as: UTF8.self) == same)
  }

  @Test func `what is no JSON is refused`() {
    for json in ["", "{", "version: 1", "{'version':1}"] {
      #expect(throws: JSONSyntaxError.self) { try text(json: json) }
    }
  }

  @Test func `YAML is answered as JSON, its texts as texts`() throws {
    let yaml = "# comment\nversion: 1\nschedules: [{ name: bins, time: 19:00, off: no }]\n"
    let json = String(decoding: try CatalogueText(yaml: yaml).json(), as: UTF8.self)
    #expect(json == #"{"version":1,"schedules":[{"name":"bins","time":"19:00","off":"no"}]}"#)
    #expect(throws: CatalogueError.self) { try CatalogueText(yaml: "version: [").json() }
    #expect(try CatalogueText.none.json() == Array(#"{"version":1}"#.utf8))
  }

  @Test func `two spellings of one letter are two files`() {
    let (one, other) = ("version: 1 # caf\u{e9}", "version: 1 # cafe\u{301}")
    #expect(one == other)
    #expect(CatalogueText(yaml: one) != CatalogueText(yaml: other))
    #expect(CatalogueText(yaml: one) == CatalogueText(yaml: "version: 1 # caf\u{e9}"))
  }
}
