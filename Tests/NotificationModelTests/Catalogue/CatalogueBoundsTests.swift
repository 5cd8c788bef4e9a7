import BelfryJSON
import Testing

@testable import NotificationModel

/// What a small file can make of itself.
@Suite struct CatalogueBoundsTests {
  private func problem(_ yaml: String) -> CatalogueProblem? {
    let review = Catalogue.review(yaml)
    return review.catalogue == nil ? review.problems.first : nil
  }

  /// Lists in each other, around a text.
  private static func nested(_ depth: Int, _ text: String = "x") -> String {
    String(repeating: "[", count: depth) + text + String(repeating: "]", count: depth)
  }

  @Test func `aliases make nothing deeper than a file may be`() throws {
    let lists = (1...100).map { "a\($0): &a\($0) \(Self.nested(40, "*a\($0 - 1)"))\n" }.joined()
    let found = try #require(problem("a0: &a0 [x]\n" + lists))
    #expect(found.message == "lists and mappings are more than 64 deep in each other")
    #expect(found.line == 3)
  }

  @Test(arguments: [63, 64])
  func `as deep as JSON may be is as deep as a file may be`(_ depth: Int) throws {
    #expect(try CatalogueYAML.json("a: " + Self.nested(depth - 1)).members?.count == 1)
    #expect(try CatalogueYAML.json("a: &a [x]\nb: " + Self.nested(depth - 2, "*a")).members?.count == 2)
  }

  @Test func `one deeper is refused, whether it is said or repeated`() throws {
    for yaml in ["a: " + Self.nested(64), "a: &a [x]\nb: " + Self.nested(63, "*a"), String(repeating: "- ", count: 65)]
    {
      #expect(problem(yaml)?.message.hasSuffix("deep in each other") == true, "\(yaml.prefix(20))")
    }
  }

  @Test func `what aliases multiply is counted before it is built`() throws {
    let lists = (1...9).map {
      "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ", "))]\n"
    }
    let found = try #require(problem("a0: &a0 [x]\n" + lists.joined()))
    #expect(found.message.hasPrefix("there are more than 400000 values"))
    #expect(found.line == 7)
  }

  @Test func `a long text is repeated a few times only`() throws {
    let text = String(repeating: "x", count: 100_000)
    let found = try #require(
      problem("a: &a \(text)\nb: [\(Array(repeating: "*a", count: 50).joined(separator: ", "))]")
    )
    #expect(found.message.hasPrefix("aliases (*name) repeat more than") && found.line == 2)
  }

  @Test(arguments: ["? *a : 1", "? [x]\n: 1", "? { x: 1 }\n: 1", "{ [x]: 1 }"])
  func `a name is a text`(_ yaml: String) throws {
    #expect(problem("a: &a x\n" + (yaml.hasPrefix("?") ? yaml : "b: \(yaml)"))?.message == "a key is no text")
  }

  @Test func `an alias stands for what has its anchor`() throws {
    let json = try CatalogueYAML.json("a: &a { b: &b [1, x], c: *b }\nd: *a\n# *not one, nor &this\ne: 5 * 3 & more")
    #expect(json["d"] == json["a"] && json["a"]?["c"]?.array?.count == 2)
    #expect(json["e"]?.string == "5 * 3 & more")
    #expect(problem("a: *nobody")?.message.contains("undefined alias") == true)
  }

  @Test func `of a large file not every name that stands twice is looked for`() throws {
    let doubles = (1...20).map { "n\($0): 1\nn\($0): 2\n" }.joined()
    let small = try CatalogueYAML.document("version: 1\n" + doubles)
    #expect(small.doubles.count == 20)
    let comment = "#" + String(repeating: "-", count: 1_000_000) + "\n"
    #expect(problem("version: 1\n" + doubles + comment)?.message.hasPrefix("stands twice") == true)
  }
}
