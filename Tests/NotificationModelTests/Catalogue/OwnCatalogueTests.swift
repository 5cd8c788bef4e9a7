import Foundation
import BelfryJSON
import Rules
import Testing

@testable import NotificationModel

/// `builtIn: false`: the catalogue is the file's alone.
@Suite struct OwnCatalogueTests {
  private static let shop = """
    version: 1
    builtIn: false
    defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
    categories: [{ name: Orders }, { name: Tasks, channels: { inApp: true, email: true } }]
    types:
    - { code: 1, name: OrderShipped, category: Orders, title: "{{order}} is on its way" }
    - { code: 2, name: AllowanceDeposit, category: Tasks }
    events:
    - { name: StockChanged, arguments: [product, left] }
    - { name: BalanceUpdated, relay: false }
    rules:
    - { name: shipped, on: StockChanged, notify: { type: OrderShipped, to: { group: "s:{{shop}}" }, data: { order: "{{product}}" } } }
    - { name: low-balance, on: BalanceUpdated, notify: { type: AllowanceDeposit, to: { group: "s:{{shop}}" } } }
    schedules: [{ name: weekly, type: AllowanceDeposit, recurrence: FREQ=WEEKLY, time: "09:00" }]
    settings: [{ name: priceLimit, type: number, default: 5 }]
    """

  private func problems(_ yaml: String) -> [String] {
    do {
      _ = try Catalogue(overrides: "version: 1\nbuiltIn: false\n\(yaml)")
      return []
    } catch {
      return error.problems.map { "\($0)" }
    }
  }

  @Test func `nothing is in force but what the file says, and all codes from 1 are free`() throws {
    let catalogue = try Catalogue(overrides: Self.shop)
    #expect(!catalogue.hasBuiltIn)
    #expect(catalogue.types.map(\.code) == [1, 2])
    #expect(catalogue.types.map(\.name) == ["OrderShipped", "AllowanceDeposit"])
    #expect(catalogue.categoryNames == ["Orders", "Tasks"] && catalogue.categories.count == 2)
    #expect(catalogue.events.map(\.name) == ["BalanceUpdated", "StockChanged"])
    #expect(catalogue.rules.rules.map(\.name) == ["low-balance", "shipped"])
    #expect(catalogue.schedules.map(\.name) == ["weekly"])
    #expect(catalogue.settings.map(\.name) == ["priceLimit"])
    #expect(catalogue.rules.absences.isEmpty)
    #expect(catalogue.type(.name("BalanceAlert")) == nil && catalogue.type(.code(10)) == nil)
  }

  @Test func `a name that a built-in entry has is the file's own, whole, and replaces nothing`() throws {
    let catalogue = try Catalogue(overrides: Self.shop)
    #expect(catalogue.replaced.isEmpty)
    let deposit = try #require(catalogue.type(.name("allowancedeposit")))
    #expect(deposit.code == 2 && deposit.timeToLive == 7 * 86_400 && deposit.priority == .normal)
    #expect(deposit.channels == PerChannel(inApp: true, push: false, email: true))
    #expect(
      deposit.template.render(title: nil, body: nil, data: [:]) == NotificationTemplate.Text(title: "T", body: "B")
    )
    let balance = try #require(catalogue.event("BalanceUpdated"))
    #expect(balance.arguments.isEmpty && balance.amounts.isEmpty && !balance.isRelayed)
  }

  @Test func `an empty one has nothing at all, and still says several as one, in our words`() throws {
    let catalogue = try Catalogue(overrides: "version: 1\nbuiltIn: false")
    #expect(catalogue.types.isEmpty && catalogue.categories.isEmpty && catalogue.categoryNames.isEmpty)
    #expect(catalogue.events.isEmpty && catalogue.rules.rules.isEmpty)
    #expect(catalogue.schedules.isEmpty && catalogue.settings.isEmpty)
    let ours = try Catalogue()
    #expect(catalogue.defaults.locale == ours.defaults.locale && catalogue.defaults.currency == ours.defaults.currency)
    let data = ["count": "4", "titles": "A, B", "others": "2"]
    let text = catalogue.composition.render(title: nil, body: nil, data: data)
    #expect(text == NotificationTemplate.Text(title: "4 notifications", body: "A, B and 2 more"))
    var writer = JSONWriter()
    catalogue.writeOpenPart(to: &writer, locale: "de")
    #expect(writer.text == #"{"types":[],"categories":[],"settings":[]}"#)
  }

  @Test func `locale, currency and composition are the file's where it says them`() throws {
    let catalogue = try Catalogue(
      overrides: """
        version: 1
        builtIn: false
        defaultLocale: de
        currency: EUR
        composition: { title: "{{count}} Neuigkeiten", body: "{{titles}}" }
        """
    )
    #expect(catalogue.defaults.locale == "de" && catalogue.defaults.currency == "EUR")
    let text = catalogue.composition.render(title: nil, body: nil, data: ["count": "3", "titles": "A"])
    #expect(text == NotificationTemplate.Text(title: "3 Neuigkeiten", body: "A"))
  }

  @Test func `without the member, or where it is true, the built-in entries are there as ever`() throws {
    let ours = try Catalogue()
    #expect(ours.hasBuiltIn)
    for line in ["", "builtIn: true\n"] {
      let catalogue = try Catalogue(overrides: "version: 1\n\(line)currency: EUR")
      #expect(catalogue.hasBuiltIn && catalogue.types.map(\.name) == ours.types.map(\.name))
      #expect(catalogue.events == ours.events && catalogue.settings == ours.settings)
      #expect(catalogue.rules.rules.map(\.name) == ours.rules.rules.map(\.name))
      #expect(catalogue.schedules == ours.schedules && catalogue.categories == ours.categories)
    }
  }

  @Test func `what names a built-in entry names what is not there`() {
    let weekly = "schedules: [{ name: s, type: SystemAnnouncement, recurrence: FREQ=DAILY, time: '19:00' }]"
    #expect(problems(weekly) == ["schedules[0] (s).type: 'SystemAnnouncement' is not a type of the catalogue"])
    #expect(
      problems("rules: [{ name: miss-you, off: true }]") == ["rules[0] (miss-you).off: there is none to switch off"]
    )
    let rule = "{ name: r, on: GoalReached, notify: { type: GoalCompleted, to: { group: g } } }"
    #expect(problems("rules: [\(rule)]").contains { $0.contains("rules[0] (r)") && $0.contains("GoalReached") })
    let types = """
      defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
      categories: [{ name: Orders }]
      types: [{ code: 1, name: A, category: Tasks }]
      """
    #expect(problems(types) == ["types[0] (A).category: 'Tasks' is not one of the categories"])
  }

  @Test func `a category that no list names is made up by its types alone`() throws {
    let yaml = Self.shop.replacing(#/categories: .*\n/#, with: "")
    let catalogue = try Catalogue(overrides: yaml)
    #expect(catalogue.categories.isEmpty && catalogue.categoryNames == ["Orders", "Tasks"])
  }
}
