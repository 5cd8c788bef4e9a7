import Foundation
import BelfryJSON
import NotificationModel
import Rules
import TestSupport
import Testing
import WallClock

/// What the walk-through of a rule says that happens, happens.
@Suite struct RuleExampleTests {
  private static let path = "docs/events-and-rules.md"

  private func example(_ language: String) throws -> String {
    let examples = try DocumentExample.all(in: Self.path).filter {
      $0.language == language && $0.text.contains("parentIds")
    }
    return try #require(examples.first).text
  }

  @Test func `the walk-through's event notifies the parents whom it names, in the words that it shows`() throws {
    let catalogue = try Catalogue(overrides: try example("yaml"))
    let report = try FieldReader.read(EventReport.self, from: Array(try example("json").utf8))
    let known = try report.resolve(in: catalogue, now: .now)
    #expect(known.isRelayed && report.audience != nil)
    let event = try RuleEvent(id: "e", name: known.name, payload: report.payload, intake: .now, occurredAt: .now)
    let settings = RuleSettings(zone: .utc, declared: catalogue.settings)
    let rule = try #require(catalogue.rules.rules(on: known.name).first { $0.name == "chore-done" })
    let notice = try #require(rule.evaluate(event, settings: settings) { _ in nil }.notices.first)
    let parents = try #require(report.payload["parentIds"]?.array).compactMap {
      $0.string.flatMap { UUID(uuidString: $0) }
    }
    #expect(parents.count == 2)
    #expect(notice.audience == .users(parents))
    #expect(Set(notice.data.keys) == ["choreName", "amount"])
    let type = try #require(catalogue.type(.name(notice.type)))
    let text = type.template.render(title: nil, body: nil, data: notice.data.mapValues(\.unformatted))
    let shown = try Repository.text(Self.path).replacing("\n", with: " ").replacing("   ", with: "")
    for words in [text.title, text.body] { #expect(shown.contains("\"\(words)\""), "\(words)") }
  }

  @Test func `an event that does not name the parents is refused with the member's name`() throws {
    let catalogue = try Catalogue(overrides: try example("yaml"))
    let report = try FieldReader.read(EventReport.self, from: Array(try example("json").utf8))
    let payload = JSONValue.object((report.payload.members ?? []).filter { $0.name != "parentIds" })
    let event = try RuleEvent(id: "e", name: report.name, payload: payload, intake: .now, occurredAt: .now)
    let refusals = catalogue.rules.refusals(of: event, settings: RuleSettings(zone: .utc, declared: catalogue.settings))
    #expect(refusals.map(\.description) == ["payload.parentIds: is missing"])
  }
}
