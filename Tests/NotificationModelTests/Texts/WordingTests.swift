import Foundation
import NotificationModel
import Rules
import Testing
import WallClock

@Suite struct WordingTests {
  private func type(_ fields: String, others: String = "") throws -> NotificationType {
    let catalogue = try Catalogue(
      overrides: """
        version: 1
        currency: EUR
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
        types: [{ code: 900, name: A, category: X, \(fields) }]
        """
    )
    return try #require(catalogue.type(.code(900)))
  }

  private func content(_ type: NotificationType) -> NotificationContent {
    NotificationContent(
      type: type,
      text: .init(title: "as it was", body: "as it was"),
      data: [:],
      relatedEntityType: "Goal",
      relatedEntityId: "7",
      collapseKey: "c",
      createdAt: Date(timeIntervalSince1970: 0),
      expiresAt: Date(timeIntervalSince1970: 60)
    )
  }

  /// What a type says, and whether the reader's locale and zone make a difference where the request brings nothing itself,
  /// and where it brings title and body.
  @Test(
    arguments: [
      ("body: Hello", false, false, false), ("body: '{{name}}'", false, false, false),
      ("body: { en: Hello, de: Hallo }", true, false, false), ("body: '{{amount|money}}'", true, false, false),
      ("title: '{{days|inDays}}'", true, false, false), ("body: '{{at|date}}'", true, true, false),
      ("actions: [{ id: V, title: View }]", false, false, false),
      ("actions: [{ id: V, title: { en: View, de: Ansehen } }]", true, false, true),
    ]
  )
  func `only what has languages or formats depends on its reader`(
    fields: String,
    dependsOnReader: Bool,
    dependsOnZone: Bool,
    evenVerbatim: Bool
  ) throws {
    let type = try type(fields)
    let wording = Wording(data: ["amount": "1"])
    #expect(wording.dependsOnReader(type) == dependsOnReader)
    #expect(wording.dependsOnZone(type) == dependsOnZone)
    #expect(type.dependsOnReader(title: "T", body: nil) == dependsOnReader)
    #expect(type.dependsOnReader(title: "T", body: "B") == evenVerbatim)
  }

  @Test func `data that waits for its reader makes any type depend on the reader`() throws {
    let type = try type("body: '{{balance}}'")
    let money = RuleText([.formatted("12.5", [.init("money")])])
    #expect(Wording(data: ["balance": money]).dependsOnReader(type))
    #expect(!Wording(data: ["balance": money]).dependsOnZone(type))
    #expect(Wording(data: ["balance": RuleText([.formatted("x", [.init("date")])])]).dependsOnZone(type))
    #expect(!Wording(data: ["balance": RuleText([.formatted("x", [.init("unheard")])])]).dependsOnReader(type))
  }

  @Test(
    arguments: [
      (nil, "Hello: €12.50"), ("en-US", "Hello: €12.50"), ("de", "Hallo: 12,50\u{A0}€"),
      ("de-AT", "Hallo: €\u{A0}12,50"), ("fr", "Hello: 12,50\u{202F}€"), ("nonsense", "Hello: €12.50"),
    ]
  )
  func `each reader is notified in a language and formats of their own`(locale: String?, body: String) throws {
    let type = try type("body: { en: 'Hello: {{amount|money}}', de: 'Hallo: {{amount|money}}' }")
    let wording = Wording(title: "Verbatim {{x}}", data: ["amount": "12.5"])
    let worded = try #require(content(type).worded(wording, as: type, for: .init(locale: locale)))
    // The space before the sign differs from release to release of the locale data.
    func plain(_ text: String) -> String { text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ") }
    #expect(plain(worded.body) == plain(body))
    #expect(worded.title == "Verbatim {{x}}")
    #expect(worded.data == ["amount": "12.5"])
    #expect(worded.locale == locale)
    #expect(worded.relatedEntityId == "7")
    #expect(worded.collapseKey == "c")
  }

  @Test(
    arguments: [
      (nil, "$3.00 tomorrow, November 23, 2026"), ("de-AT", "3,00 $ morgen, 23. November 2026"),
      ("nonsense", "$3.00 tomorrow, November 23, 2026"),
    ]
  )
  func `a schedule's own texts have their values as the reader writes them`(locale: String?, body: String) throws {
    let type = try type("body: B")
    let own = OwnTemplates(
      title: "{{what}}\nand more",
      body: "{{amount|money:USD}} {{days|inDays}}, {{at|date}}"
    )
    let data = ["what": "Rent", "amount": "3", "days": "1", "at": "2026-11-22T23:30:00Z"]
    let wording = Wording(title: "Rent and more", body: "by default", data: data, own: own)
    #expect(wording.dependsOnReader(type) && wording.dependsOnZone(type))
    let berlin = try #require(Zone("Europe/Berlin"))
    let worded = try #require(content(type).worded(wording, as: type, for: .init(locale: locale, zone: berlin)))
    #expect(worded.title == "Rent and more")
    func words(_ text: String) -> Set<Substring> {
      Set(text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ").split(separator: " "))
    }
    // The sign's place differs from release to release of the locale data.
    #expect(words(worded.body) == words(body))
  }

  @Test func `own texts without formats are the same for all`() throws {
    let own = OwnTemplates(title: "{{what}}", body: "Body")
    let wording = Wording(title: "Rent", body: "Body", data: ["what": "Rent"], own: own)
    #expect(!wording.dependsOnReader(try type("body: '{{amount|money}}'")))
  }

  @Test func `a rule's values are formatted for the reader, in the text and in what travels`() throws {
    let type = try type("body: '{{what}} {{when}}', payload: [what]")
    let wording = Wording(
      data: [
        "what": RuleText([
          .text("~"), .formatted("12.5", [.init("money", argument: "USD")]), .text("/"),
          .formatted("1", [.init("money", argument: "pounds")]), .text("/"), .formatted("x", [.init("unheard")]),
        ]),
        "when": RuleText([.formatted("2026-11-22T23:30:00Z", [.init("date")])]),
      ]
    )
    let berlin = try #require(Zone("Europe/Berlin"))
    let worded = try #require(content(type).worded(wording, as: type, for: .init(locale: "en", zone: berlin)))
    #expect(worded.body == "~$12.50/€1.00/x November 23, 2026")
    #expect(worded.data == ["what": "~$12.50/€1.00/x"])
    let utc = try #require(content(type).worded(wording, as: type, for: .init(locale: "en")))
    #expect(utc.body.hasSuffix("November 22, 2026"))
  }

  @Test func `a body has so many characters as a person counts them, in any language`() throws {
    let type = try type("body: { en: '{{name}}', de: '{{name}}!' }, maximumBodyLength: 2")
    let wording = Wording(data: ["name": "👨‍👩‍👧🇩🇪e\u{301}"])
    #expect(content(type).worded(wording, as: type, for: .init(locale: "de"))?.body == "👨‍👩‍👧🇩🇪")
  }

  @Test func `what another catalogue accepted and this one cannot say is not said`() throws {
    let type = try type("body: { en: '{{new}}', de: '{{new}}' }")
    #expect(content(type).worded(Wording(data: ["old": "1"]), as: type, for: .init(locale: "de")) == nil)
    #expect(content(type).worded(Wording(body: "B", data: ["old": "1"]), as: type, for: .init(locale: "de")) != nil)
  }
}
