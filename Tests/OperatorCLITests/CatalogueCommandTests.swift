import ArgumentParser
import ConsoleCommands
import Foundation
import NotificationModel
import Rules
import TestSupport
import Testing

@testable import OperatorCLI

/// `belfry types`
@Suite struct CatalogueCommandTests {
  private func check(_ yaml: String) throws -> (CatalogueCheck, file: String) {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-catalogue-\(UUID()).yaml").path
    try Data(yaml.utf8).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    return (CatalogueCheck(file: file, on: .standard), file)
  }

  @Test func `a good file is reported with what there is then`() throws {
    let before = try Catalogue()
    let (result, file) = try check(
      "version: 1\nsettings: [{ name: seats, type: number, default: 4 }]\nevents: [{ name: TableIsSet }]\nrules: [{ name: set, on: TableIsSet, notify: { type: 99, to: '{{to}}' } }]"
    )
    #expect(result.isGood)
    let counts = [
      "\(before.types.count) types", "\(before.events.count + 1) events", "\(before.rules.rules.count + 1) rules",
      "\(before.schedules.count) schedule templates", "\(before.settings.count + 1) settings",
    ]
    #expect(result.lines == ["\(file): good; with it there are \(counts.joined(separator: ", "))"])
  }

  @Test func `a file that begins with nothing is reported and listed with what it has, alone`() throws {
    let yaml = """
      version: 1
      builtIn: false
      defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      types: [{ code: 12, name: OrderSent, category: Shop }]
      events: [{ name: StockChanged }]
      """
    let (result, file) = try check(yaml)
    let counts = "1 type, 1 event, 0 rules, 0 schedule templates, 0 settings"
    #expect(result.isGood && result.lines == ["\(file): good; without the built-in entries there are \(counts)"])
    #expect(
      CatalogueListing(try Catalogue(overrides: yaml)).lines == [
        "Shop", "     12  OrderSent  inApp; normal, 1 day", "Events", "  StockChanged  relayed to open connections",
      ]
    )
    let empty = try Catalogue(overrides: "version: 1\nbuiltIn: false")
    #expect(CatalogueListing(empty).lines == ["The catalogue is empty."])
  }

  @Test func `a type in the place of a built-in one is said, for its code may be a slip`() throws {
    let (result, file) = try check(
      """
      version: 1
      defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      types: [{ code: 12, name: OrderSent, category: Shop, replaces: true }, { code: 9000, name: OrderPaid, category: Shop }]
      """
    )
    let former = try #require(try Catalogue().type(.code(12))).name
    #expect(result.isGood && result.lines.count == 2)
    #expect(result.lines.first == "\(file): type 12 OrderSent replaces the built-in \(former)")
    let slip = try check(
      """
      version: 1
      defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      types: [{ code: 12, name: OrderSent, category: Shop }]
      """
    )
    let words =
      "types[0] (OrderSent).code: replaces the built-in type 12 \(former): say replaces: true if that is meant"
    #expect(!slip.0.isGood && slip.0.lines == ["\(slip.file):3:11: \(words)"])
  }

  @Test(arguments: [
    (
      "version: 1\nevents: [{ name: A, argument: [b] }, { nam: B }]",
      [
        ":2:21: events[0] (A).argument: is not a known field; did you mean arguments?",
        ":2:38: events[1].name: is required",
        ":2:40: events[1].nam: is not a known field; did you mean name?",
      ]
    ),
    (
      "version: 1\nrules: [{ name: a, on: Unheard, notify: MissYou }, { name: b, off: true }]",
      [
        ":2:20: rules[0] (a).on: 'Unheard' is not an event of the catalogue",
        ":2:63: rules[1] (b).off: there is none to switch off",
      ]
    ),
  ])
  func `every problem of a bad file has a line with its place`(_ yaml: String, _ problems: [String]) throws {
    let (result, file) = try check(yaml)
    #expect(!result.isGood)
    #expect(result.lines == problems.map { file + $0 })
  }

  @Test func `YAML that does not parse has one line, and so has a file that is not there`() throws {
    let (result, file) = try check("version: 1\ntypes: [\n  {\n")
    #expect(!result.isGood)
    #expect(result.lines.count == 1)
    #expect(result.lines.first?.hasPrefix("\(file):4:1: ") == true)
    #expect(result.lines.first?.contains("\n") == false)
    let missing = CatalogueCheck(file: "/nowhere/my shop.yaml", on: .standard)
    let advice = "`belfry init '/nowhere/my shop.yaml'` writes one to begin with."
    #expect(!missing.isGood && missing.lines == ["/nowhere/my shop.yaml: there is no such file: \(advice)"])
  }

  @Test func `what a gateway would refuse as a text, the check does not call good`() async throws {
    let (large, file) = try check("version: 1\n" + String(repeating: "#", count: CatalogueText.maximumBytes))
    #expect(!large.isGood && large.lines.first?.hasPrefix("\(file): has more than 1048576 bytes") == true)
    #expect(try !check("version: 1 # \0\n").0.isGood)
  }

  @Test func `a check reads standard input as well`() async throws {
    let good = try await CommandRun.run(["catalogue", "check", "-"], input: "version: 1\nevents: []\n")
    #expect(good.failure == nil && good.lines.first?.hasPrefix("standard input: good; ") == true)
    let bad = try await CommandRun.run(["catalogue", "check", "-"], input: "version: 2\n")
    #expect(bad.failure != nil && bad.lines.first?.hasPrefix("standard input:1:1: version") == true)
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
    for setting in catalogue.settings {
      #expect(
        lines.contains { $0.hasPrefix("  \(setting.name)  \(setting.initial) at first; from ") },
        "\(setting.name)"
      )
    }
    // A rule's sentence and the setting's line have the same title.
    #expect(lines.count { $0.contains(" 'Low balance threshold'") } == 2)
    let headings = catalogue.categoryNames.count + 4
    let entries =
      catalogue.types.count + catalogue.events.count + catalogue.rules.rules.count + catalogue.schedules.count
      + catalogue.settings.count
    #expect(lines.count == headings + entries)
  }

  @Test func `the listing says of a category what its mails are`() throws {
    let file = """
      version: 1
      builtIn: false
      defaults: { channels: { email: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      categories:
      - { name: Offers, channels: { email: true }, mail: { stream: bulk, unsubscribe: true } }
      - { name: Notes, mail: { unsubscribe: true } }
      - { name: Codes, mail: { stream: transactional } }
      types:
      - { code: 1, name: Sale, category: Offers }
      - { code: 2, name: Note, category: Notes }
      - { code: 3, name: Code, category: Codes }

      """
    let headings = CatalogueListing(try Catalogue(overrides: file)).lines.filter { !$0.hasPrefix(" ") }
    #expect(
      headings == [
        "Offers; its types: email; bulk mail; one click stops its mails", "Notes; one click stops its mails", "Codes",
      ]
    )
  }

  @Test func `the built-in layout of mails is printed as it is, and is one that a catalogue may have`() async throws {
    let run = try await CommandRun.run(["catalogue", "layout"])
    #expect(run.failure == nil)
    #expect(run.output == MailLayout.source)
    let html = MailLayout.source.split(separator: "\n").map { "    \($0)\n" }.joined()
    let file = "version: 1\nmailLayout:\n  html: |-\n\(html)"
    #expect(throws: Never.self) { try Catalogue(overrides: file) }
  }

  @Test func `a check stands alone`() {
    #expect(throws: (any Error).self) { try TypesCommand.parse(["--check", "a.yaml", "--json"]) }
    #expect(throws: (any Error).self) { try TypesCommand.parse(["--check", "a.yaml", "--catalogue", "b.yaml"]) }
    #expect(throws: (any Error).self) { try TypesCommand.parse(["--check", ""]) }
  }
}
