import Foundation
import BelfryJSON
import Rules
import Testing

@testable import NotificationModel

@Suite struct CatalogueJSONTests {
  private static let own = """
    version: 1
    defaults:
      channels: { inApp: true, push: true, email: false }
      priority: high
      timeToLiveDays: 30
      title: Notification
      body: Something
    categories: [{ name: Household, channels: { inApp: true } }]
    types:
    - code: 900
      name: DinnerIsReady
      category: Household
      timeToLiveDays: 1
      title: { en: "Secret {{dish}}", de: "Geheim {{dish}}" }
      body: { en: Come, de: Kommt }
      quietHours: digest
      wait: { email: 15min }
      digest: { channel: push, every: 1h, key: "{{house}}", title: "{{count}}", body: "{{count}}" }
      throttle: { atMost: 3, per: 2h, then: drop }
      maximumBodyLength: 100
      actions: [{ id: COMING, title: { en: Coming, de: Komme } }]
      sound: bell
      android: data
      analyticsLabel: dinner
      example: { dish: Pie }
    """

  private func json(_ write: (inout JSONWriter) -> Void) throws -> [String: Any] {
    var writer = JSONWriter()
    write(&writer)
    return try #require(try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
  }

  private func type(_ code: Int, in json: [String: Any]) throws -> [String: Any] {
    try #require((json["types"] as? [[String: Any]])?.first { $0["code"] as? Int == code })
  }

  @Test func `apps are given types, what is on at first, and buttons in their language`() throws {
    let catalogue = try Catalogue(overrides: Self.own)
    let dinner = try type(900, in: try json { catalogue.writeOpenPart(to: &$0, locale: "de-AT") })
    #expect(dinner["name"] as? String == "DinnerIsReady")
    #expect(dinner["category"] as? String == "Household")
    #expect(dinner["channels"] as? [String: Bool] == ["inApp": true, "push": false, "email": false])
    #expect(dinner["actions"] as? [[String: String]] == [["id": "COMING", "title": "Komme"]])
    let english = try type(900, in: try json { catalogue.writeOpenPart(to: &$0, locale: nil) })
    #expect(english["actions"] as? [[String: String]] == [["id": "COMING", "title": "Coming"]])
  }

  @Test func `what describes the deployment is not open to all`() throws {
    let catalogue = try Catalogue(overrides: Self.own)
    let open = try json { catalogue.writeOpenPart(to: &$0, locale: nil) }
    #expect(Set(open.keys) == ["types", "categories", "settings"])
    #expect(Set(try type(900, in: open).keys) == ["code", "name", "category", "channels", "actions"])
    #expect((open["types"] as? [Any])?.count == catalogue.types.count)
    let categories = try #require(open["categories"] as? [[String: String]])
    #expect(categories.compactMap { $0["name"] } == catalogue.categoryNames)
    #expect(Set(catalogue.categoryNames) == Set(catalogue.types.map(\.category)))
  }

  @Test func `operators are given all of it`() throws {
    let catalogue = try Catalogue(overrides: Self.own)
    let all = try json { catalogue.write(to: &$0) }
    let dinner = try type(900, in: all)
    #expect(dinner["data"] as? [String] == ["dish"])
    #expect(dinner["locales"] as? [String] == ["de", "en"])
    #expect(dinner["timeToLiveDays"] as? Int == 1)
    #expect(dinner["example"] as? [String: String] == ["dish": "Pie"])
    let events = try #require(all["events"] as? [[String: Any]])
    let opened = try #require(events.first { $0["name"] as? String == "AppOpened" })
    #expect(opened["payload"] as? [String] == ["userId"])
    #expect(
      dinner["policies"] as? [String] == [
        "in quiet hours: digest", "email after 15 minutes if unread", "push as one each 1 hour for each {{house}}",
        "at most 3 in 2 hours, the rest dropped", "to Android apps as data", "Firebase's label dinner",
        "body of at most 100 characters", "actions COMING", "sound bell",
      ]
    )
    for (name, count) in [
      ("types", catalogue.types.count), ("events", catalogue.events.count), ("rules", catalogue.rules.rules.count),
      ("schedules", catalogue.schedules.count), ("settings", catalogue.settings.count),
      ("categories", catalogue.categoryNames.count),
    ] {
      #expect((all[name] as? [[String: Any]])?.count == count, "\(name)")
      #expect(count > 0)
    }
    let rules = try #require(all["rules"] as? [[String: Any]])
    let missYou = try #require(rules.first { $0["name"] as? String == "miss-you" })
    #expect(missYou["words"] as? String == "after 3 days without AppOpened, at 10:00: MissYou")
    #expect(missYou["event"] as? String == "AppOpened")
    #expect(missYou["types"] as? [String] == ["MissYou"])
  }

  @Test func `a catalogue's problems can be listed one by one`() throws {
    let failure = #expect(throws: CatalogueError.self) {
      try Catalogue(overrides: "version: 3\nevents:\n- { name: A, argument: [b] }")
    }
    #expect(
      failure?.problems.map(\.description) == [
        "version: 3 is not 1", "events[0] (A).argument: is not a known field; did you mean arguments?",
      ]
    )
    #expect(
      failure?.description
        == "catalogue file: version: 3 is not 1; events[0] (A).argument: is not a known field; did you mean arguments?"
    )
    let absent = #expect(throws: CatalogueError.self) { try Catalogue(file: "/nowhere/at/all.yaml") }
    #expect(absent?.problems.map(\.description) == ["cannot read the catalogue file /nowhere/at/all.yaml"])
  }
}
