import Foundation
import BelfryJSON
import TestSupport
import Testing

@testable import NotificationModel

/// What documents show of the catalogue is taken by its parser, and they show all of it.
@Suite struct CatalogueExampleTests {
  /// A file of its own, a file without its head, or entries of its rules.
  private func file(_ example: DocumentExample) -> String {
    if example.text.hasPrefix("version:") { return example.text }
    return example.text.hasPrefix("- ") ? "version: 1\nrules:\n\(example.text)" : "version: 1\n\(example.text)"
  }

  @Test func `what a document shows as YAML is a catalogue that the parser takes`() throws {
    let examples = try DocumentExample.all().filter { $0.language == "yaml" }
    #expect(examples.count >= 9)
    for example in examples {
      #expect(throws: Never.self, "\(example)") { try Catalogue(overrides: file(example)) }
    }
  }

  @Test func `a check has nothing to object to in the example of the form`() throws {
    let examples = try DocumentExample.all(in: "docs/catalogue.md")
    let form = try #require(examples.first { $0.text.contains("types:") })
    #expect(Catalogue.review(form.text).problems == [])
  }

  /// Names of members by the definition of the schema in which they stand; those of the file under "".
  private func members() throws -> [String: Set<String>] {
    func collect(_ schema: JSONValue, _ found: inout Set<String>) {
      for property in schema["properties"]?.members ?? [] {
        found.insert(property.name)
        collect(property.value, &found)
      }
      for word in ["oneOf", "anyOf"] { for variant in schema[word]?.array ?? [] { collect(variant, &found) } }
      if let items = schema["items"] { collect(items, &found) }
    }
    let schema = try JSONParser.parse(Catalogue.schema)
    var members: [String: Set<String>] = [:]
    collect(schema, &members["", default: []])
    for definition in try #require(schema["$defs"]?.members) {
      collect(definition.value, &members[definition.name, default: []])
    }
    return members
  }

  private func names(_ json: JSONValue) -> Set<String> {
    var names = Set((json.members ?? []).map(\.name))
    for member in json.members ?? [] { names.formUnion(self.names(member.value)) }
    for element in json.array ?? [] { names.formUnion(self.names(element)) }
    return names
  }

  @Test func `the example of the form has every member that a file and a type can have`() throws {
    let examples = try DocumentExample.all(in: "docs/catalogue.md")
    let form = try #require(examples.first { $0.text.contains("types:") })
    let shown = names(try CatalogueYAML.json(form.text))
    let members = try members()
    for definition in ["", "defaults", "category", "type", "channels", "event", "schedule", "off"] {
      let missing = try #require(members[definition]).subtracting(shown)
      #expect(missing.isEmpty, "docs/catalogue.md shows no \(missing.sorted())")
    }
  }

  @Test func `every member of a rule is described`() throws {
    let text = try Repository.text("docs/events-and-rules.md")
    let words = Set(text.split { !$0.isLetter }.map(String.init))
    for (definition, names) in try members() {
      let missing = names.subtracting(words)
      guard
        ["rule", "notice", "when", "remind", "before", "computation", "groupAudience", "about", "setting"].contains(
          definition
        )
      else { continue }
      #expect(missing.isEmpty, "docs/events-and-rules.md does not describe \(missing.sorted())")
    }
  }
}
