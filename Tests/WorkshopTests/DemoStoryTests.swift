import Foundation
import BelfryJSON
import NotificationModel
import Rules
import Testing

@testable import Workshop

/// Whom the demo is about, and what they are sent: the family's, or what an operator's catalogue has.
@Suite struct DemoStoryTests {
  private func story(_ yaml: String? = nil) throws -> DemoStory {
    try DemoStory.of(try Catalogue(overrides: yaml), from: yaml == nil ? nil : "shop.yaml")
  }

  @Test func `the built-in catalogue is the family's`() throws {
    let story = try story()
    #expect(story.people.map(\.name) == ["Maria", "Tom", "Ella"])
    #expect(story.first?.name == "allowance")
    #expect(story.firstChannels == Set(Channel.allCases))
  }

  @Test func `a file that only words a type anew leaves the family as it is`() throws {
    let yaml = """
      version: 1
      rules:
        - { name: low-balance, off: true }

      """
    #expect(try story(yaml).people.map(\.name) == ["Maria", "Tom", "Ella"])
  }

  @Test(arguments: [Shop.yaml, Shop.yaml.replacing("version: 1", with: "version: 1\nbuiltIn: false")])
  func `an operator's types and events are the buttons, and nothing of the family is left`(_ yaml: String) throws {
    let story = try story(yaml)
    #expect(story.people.map(\.name) == ["Alex", "Kim", "Robin"])
    #expect(story.sends.map(\.name) == ["order-shipped", "news-of-the-shop", "order-placed", "burst"])
    #expect(story.sends.map(\.label).prefix(3) == ["Order shipped", "News of the shop", "Event: order placed"])
    #expect(story.lead.contains("shop.yaml"))
    #expect(!story.switches.contains(.reading), "there is no conversation")
    #expect(Set(story.people.map(\.id)).isDisjoint(with: DemoFamily.people.map(\.id)))
    let shown = String.json { writer in
      writer.array { writer in
        for send in story.sends { send.write(in: story.catalogue, to: &writer) }
        for demoSwitch in story.switches { demoSwitch.write(isOn: false, in: story, to: &writer) }
      }
    }
    let all = shown + story.lead + story.app + story.group
    for word in ["Maria", "Tom", "Ella", "family", "llowance", "Pocket", "Weekend"] {
      #expect(!all.contains(word), "\(word): \(all)")
    }
  }

  @Test func `of a catalogue without anything there is nothing to send`() throws {
    let story = try story("version: 1\nbuiltIn: false\n")
    #expect(story.people.map(\.name) == ["Alex", "Kim", "Robin"])
    #expect(story.sends.isEmpty)
    #expect(story.first == nil)
    #expect(story.firstChannels.isEmpty)
  }

  @Test func `the people of an app go by texts, those of the family by UUIDs, and each is somebody of their own`()
    throws
  {
    #expect(DemoApp.people.map(\.id) == ["alex", "kim", "robin"])
    #expect(DemoFamily.people.allSatisfy { $0.user == UserID($0.id) && $0.user != nil })
    #expect(Set(DemoPerson.known.compactMap(\.user)).count == 6)
  }

  @Test func `what goes out at once is sent first, on the channels of its own choice`() throws {
    let story = try story(Shop.yaml)
    #expect(story.first?.type == "OrderShipped")
    #expect(story.firstChannels == [.inApp, .push])
  }

  @Test func `each type is sent with all that it needs, and what is shown when that is`() throws {
    let type = try #require(try story(Shop.yaml).catalogue.type(.name("OrderShipped")))
    let data = DemoData.of(type)
    #expect(type.template.missing(in: data) == [])
    #expect(data["orderNumber"] == "1001")
  }

  @Test func `an event has what its rules need, and their groups have the people in them`() throws {
    let story = try story(Shop.yaml)
    let event = try #require(story.send(named: "order-placed")?.event)
    #expect(event.audience == nil)
    #expect(event.payload["customer"]?["id"]?.string == story.people[0].id)
    #expect(event.payload["order"]?["number"]?.string == "1001")
    let shop = try #require(event.payload["shop"]?.string)
    #expect(story.ruleGroups == ["shop:\(shop)"])
    let call = DemoCall(try #require(story.send(named: "order-placed")), at: Date())
    #expect(call.path == "/api/v1/events")
    #expect(try JSONParser.parse(Array((call.body ?? "").utf8))["name"]?.string == "OrderPlaced")
  }

  @Test func `a rule that notifies once for each order is asked about another order each time`() throws {
    let once = Shop.yaml.replacing(
      "    notify: { type: OrderShipped",
      with: "    key: \"{{order.number}}\"\n    when: first\n    notify: { type: OrderShipped"
    )
    let send = try #require(try story(once).send(named: "order-placed"))
    #expect(send.event?.cases == ["order.number"])
    let numbers = try (0..<20).map { _ in
      try JSONParser.parse(Array((DemoCall(send, at: Date()).body ?? "").utf8))["payload"]?["order"]?["number"]?.string
    }
    #expect(Set(numbers).count > 1)
    #expect(try story(Shop.yaml).send(named: "order-placed")?.event?.cases == [])
  }

  @Test func `all built-in events that rules look at can be made up`() throws {
    let catalogue = try Catalogue()
    let composer = EventComposer(catalogue: catalogue, people: DemoApp.people, group: DemoApp.group)
    let names = Set(catalogue.rules.rules.map { $0.event.lowercased() })
    let types = catalogue.events.filter { names.contains($0.name.lowercased()) }
    #expect(types.count > 10)
    for type in types { #expect(composer.compose(type, now: Date()) != nil, "\(type.name)") }
  }

  @Test(arguments: [
    ("OrderShipped", "order-shipped"), ("Straße 7", "stra-e-7"), ("日本", "type"), ("a/b?c", "a-b-c"),
  ])
  func `a type's name becomes one for a path`(_ name: String, _ slug: String) {
    #expect(DemoApp.slug(name) == slug)
  }

  @Test func `two names that become the same stay apart`() throws {
    let yaml = Shop.yaml.replacing("NewsOfTheShop", with: "Order shipped")
    let names = try story(yaml).sends.map(\.name)
    #expect(names.prefix(2) == ["order-shipped", "order-shipped-2"])
    #expect(Set(names).count == names.count)
  }
}
