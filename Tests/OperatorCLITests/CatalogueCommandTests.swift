import ArgumentParser
import Foundation
import NotificationModel
import Rules
import Testing

@testable import OperatorCLI

/// `belfry types`
@Suite struct CatalogueCommandTests {
  private func judge(_ yaml: String) throws -> (CatalogueJudgement, file: String) {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-catalogue-\(UUID()).yaml").path
    try Data(yaml.utf8).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    return (CatalogueJudgement(file: file), file)
  }

  @Test func `a good file is told with what there is then`() throws {
    let before = try Catalogue()
    let (judgement, file) = try judge(
      "version: 1\nevents: [{ name: TableIsSet }]\nrules: [{ name: set, on: TableIsSet, notify: { type: 99, to: '{{to}}' } }]"
    )
    #expect(judgement.isGood)
    let counts = [
      "\(before.types.count) types", "\(before.events.count + 1) events", "\(before.rules.rules.count + 1) rules",
      "\(before.schedules.count) schedule templates",
    ]
    #expect(judgement.lines == ["\(file): good; with it there are \(counts.joined(separator: ", "))"])
  }

  @Test func `a type in the place of a built-in one is said, for its code may be a slip`() throws {
    let (judgement, file) = try judge(
      """
      version: 1
      defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      types: [{ code: 12, name: OrderSent, category: Shop }, { code: 9000, name: OrderPaid, category: Shop }]
      """
    )
    let former = try #require(try Catalogue().type(.code(12))).name
    #expect(judgement.isGood && judgement.lines.count == 2)
    #expect(judgement.lines.first == "\(file): type 12 OrderSent replaces the built-in \(former)")
  }

  @Test(arguments: [
    (
      "version: 1\nevents: [{ name: A, argument: [b] }, { nam: B }]",
      [
        "events[0] (A).argument: is not a known field", "events[1].nam: is not a known field",
        "events[1].name: is required",
      ]
    ),
    (
      "version: 1\nrules: [{ name: a, on: Unheard, notify: MissYou }, { name: b, off: true }]",
      ["rule b: there is none to switch off", "rule 'a': on: 'Unheard' is not an event of the catalogue"]
    ),
  ])
  func `every problem of a bad file has a line with its place`(_ yaml: String, _ problems: [String]) throws {
    let (judgement, file) = try judge(yaml)
    #expect(!judgement.isGood)
    #expect(judgement.lines == problems.map { "\(file): \($0)" })
  }

  @Test func `YAML that does not parse has one line, and so has a file that is not there`() throws {
    let (judgement, file) = try judge("version: 1\ntypes: [\n  {\n")
    #expect(!judgement.isGood)
    #expect(judgement.lines.count == 1)
    #expect(judgement.lines.first?.hasPrefix("\(file): ") == true)
    #expect(judgement.lines.first?.contains("\n") == false)
    #expect(CatalogueJudgement(file: "/nowhere.yaml").lines.count == 1)
    #expect(!CatalogueJudgement(file: "/nowhere.yaml").isGood)
  }

  @Test func `the listing has everything of the built-in catalogue`() throws {
    let catalogue = try Catalogue()
    let lines = CatalogueListing(catalogue).lines
    for type in catalogue.types {
      let line = try #require(lines.first { $0.contains(" \(type.code)  \(type.name)  ") }, "\(type.name)")
      for policy in type.policies { #expect(line.contains(policy)) }
    }
    for name in catalogue.categoryNames { #expect(lines.contains { $0 == name || $0.hasPrefix("\(name); ") }) }
    #expect(lines.contains("App Engagement; its types: off unless chosen"))
    for event in catalogue.events { #expect(lines.contains { $0.hasPrefix("  \(event.name)  ") }, "\(event.name)") }
    for rule in catalogue.rules.rules {
      #expect(lines.contains { $0.hasPrefix("  \(rule.name)  ") && $0.hasSuffix(rule.words) }, "\(rule.name)")
    }
    for schedule in catalogue.schedules {
      #expect(lines.contains { $0.hasPrefix("  \(schedule.name)  ") }, "\(schedule.name)")
    }
    let headings = catalogue.categoryNames.count + 3
    let entries =
      catalogue.types.count + catalogue.events.count + catalogue.rules.rules.count + catalogue.schedules.count
    #expect(lines.count == headings + entries)
  }

  @Test func `a check stands alone`() {
    #expect(throws: (any Error).self) { try TypesCommand.parse(["--check", "a.yaml", "--json"]) }
    #expect(throws: (any Error).self) { try TypesCommand.parse(["--check", "a.yaml", "--catalogue", "b.yaml"]) }
    #expect(throws: (any Error).self) { try TypesCommand.parse(["--check", ""]) }
  }
}
