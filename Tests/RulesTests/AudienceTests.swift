import Foundation
import BelfryJSON
import Rules
import Testing
import UserIdentity

/// Who is notified, with which data.
@Suite struct AudienceTests {
  static let both = """
    name: role-change, on: R, notify: [ { type: ContactRoleChanged, to: "{{contactId}}" },
    { type: YourContactRoleChanged, to: ["{{userId}}", "{{others?}}"], data: { who: "{{name?}}", role: "as {{role}}" } } ]
    """

  @Test func `one event notifies several, each in their words`() throws {
    var bench = try Bench(Self.both)
    let (mia, ben) = (Fixture.mia.uuidString, Fixture.ben.uuidString)
    try bench.take(Fixture.event("R", "\"contactId\":\"\(ben)\",\"role\":\"r\",\"others\":[\"\(ben)\",\"\(mia)\"]"))
    #expect(bench.notified.map(\.audience) == [.users([Fixture.ben]), .users([Fixture.mia, Fixture.ben])])
    #expect(bench.notified[1].data == ["role": RuleText("as r")])
    #expect(Set(bench.notified.map(\.id.bytes)).count == 2)
  }

  @Test
  func `what is nothing but a number of the event is one in the notice, and what is formatted or put in words is none`()
    throws
  {
    var bench = try Bench(
      """
      name: r, on: E, data: { count: "{{count}}", isLate: "{{isLate}}", text: "{{text}}", words: "{{count}} of",
      money: "{{count|money}}", absent: "{{absent?}}" },
      notify: { type: NewMessage, to: "{{who}}" }
      """
    )
    try bench.take(Fixture.event("E", #""count":2.50,"isLate":true,"text":"7","who":"\#(Fixture.ben.uuidString)""#))
    #expect(bench.notified[0].literals == ["count", "isLate"])
    #expect(bench.notified[0].data["count"] == RuleText("2.50"))
  }

  @Test func `a group is notified but its sender`() throws {
    var bench = try Bench(
      """
      name: chat, on: M, about: { type: Conversation, id: "{{c}}" }, data: { c: "{{c}}", by: "{{userId|name}}" },
      notify: { type: NewMessage, to: { group: "conversation:{{c}}", except: "{{userId}}" } }
      """
    )
    try bench.take(Fixture.event("M", "\"c\":\"7\""))
    #expect(bench.notified[0].audience == .group("conversation:7", except: [Fixture.mia]))
    #expect(bench.notified[0].about == RuleEntity(type: "Conversation", id: "7"))
    #expect(bench.notified[0].id.user == nil)
  }

  @Test(
    arguments: [
      (
        "\"contactId\":\"\",\"role\":\"r\"",
        "payload.contactId: expected a user id: 1 to 128 characters without control characters, not . or .."
      ),
      ("\"role\":\"r\"", "payload.contactId: is missing"),
      ("\"contactId\":[],\"role\":{}", "payload.role: expected a text, a number or a boolean"),
      (
        "\"contactId\":[1],\"role\":\"r\"",
        "payload.contactId: expected a user id: 1 to 128 characters without control characters, not . or .."
      ),
      ("\"contactId\":[],\"role\":\"\\u0000\"", "payload.role: must not contain control characters"),
    ]
  )
  func `a payload that does not say whom or what is refused`(_ payload: String, _ problem: String) throws {
    let rules = try RuleSet([Fixture.rule(Self.both)])
    let event = try Fixture.event("r", payload)
    #expect(rules.refusals(of: event, settings: Fixture.berlin).map(\.description) == [problem])
  }

  @Test func `data that is too large to travel is refused before anything is remembered of the event`() throws {
    let flow = "name: n, on: R, user: \"{{userId}}\", when: first, notify: First"
    var bench = try Bench(flow)
    func text(_ length: Int) -> String { String(repeating: "x", count: length) }
    // Beside the text there are "userId" with its 36 bytes, and the name "t".
    let room = RuleNotice.maximumData - 43
    let outcome = try bench.take(Fixture.event("R", "\"t\":\"\(text(room + 1))\""))
    #expect(
      outcome.description
        == "the event cannot be evaluated: payload: makes 4097 bytes of data for First; at most 4096 are allowed"
    )
    #expect(bench.states.isEmpty)
    #expect(bench.notified.isEmpty)
    #expect(try bench.take(Fixture.event("R", "\"t\":\"\(text(room))\"")).hasNotified)
  }

  @Test func `what a type does not carry may be larger`() throws {
    var catalogue = Fixture.catalogue
    catalogue.carried = ["First": ["userId"]]
    let form = RuleForm(
      .object([
        JSONMember("name", .string("n")), JSONMember("on", .string("R")), JSONMember("user", .string("{{userId}}")),
        JSONMember("notify", .string("First")),
      ])
    )
    let rules = try RuleSet([Rule(form, in: catalogue)])
    let event = try Fixture.event("R", "\"t\":\"\(String(repeating: "x", count: 5_000))\"")
    #expect(rules.refusals(of: event, settings: Fixture.berlin).isEmpty)
    #expect(
      try !RuleSet([Fixture.rule("name: n, on: R, user: \"{{userId}}\", notify: First")])
        .refusals(of: event, settings: Fixture.berlin).isEmpty
    )
  }

  @Test func `nobody to notify is no refusal`() throws {
    var bench = try Bench("name: n, on: R, notify: { type: First, to: \"{{ids}}\" }")
    #expect(try bench.take(Fixture.event("R", "\"ids\":[]")) == .nobody(what: "event:e1"))
  }

  @Test func `a rule about nobody in particular keeps its events apart by their ids`() throws {
    var bench = try Bench(Self.both)
    for id in ["a", "a", "b"] {
      try bench.take(Fixture.event("R", "\"contactId\":[],\"role\":\"r\"", id: id))
    }
    #expect(Set(bench.notified.map(\.id)).count == 2)
  }

  @Test func `explain says in words why a rule did not fire`() throws {
    let rule = try Fixture.rule(ComparingTests.lowBalance)
    let event = try Fixture.event("BalanceUpdated", "\"old\":15,\"new\":12")
    let evaluation = rule.evaluate(event, settings: Fixture.berlin) { _ in nil }
    #expect(evaluation.trace.description == "low-balance did not fire: from 15 to 12 does not cross 10")
    #expect(evaluation.outcome.code == "notCrossed")
    let other = try Fixture.event("Other", "\"x\":1")
    #expect(rule.evaluate(other, settings: Fixture.berlin) { _ in nil }.outcome.code == "otherEvent")
  }

  @Test func `ids of events and times are bounded`() throws {
    let payload = JSONValue.object([])
    let date = Date(timeIntervalSince1970: .infinity)
    let event = try RuleEvent(
      id: "a",
      name: "x",
      payload: payload,
      intake: date,
      occurredAt: Date(timeIntervalSince1970: .nan)
    )
    #expect(event.intake.timeIntervalSince1970 == 253_402_300_799)
    #expect(event.occurredAt.timeIntervalSince1970 == 0)
    let late = try RuleEvent(id: "a", name: "x", payload: payload, intake: Fixture.noon, occurredAt: Fixture.noon + 9)
    #expect(late.occurredAt == Fixture.noon)
    for id in ["", "a\n", String(repeating: "x", count: 129)] {
      #expect(throws: RuleRefusal.self) {
        try RuleEvent(id: id, name: "x", payload: payload, intake: date, occurredAt: date)
      }
    }
    #expect(throws: RuleRefusal.self) {
      try RuleEvent(id: "a", name: "x", payload: .array([]), intake: date, occurredAt: date)
    }
  }

  @Test func `a name that the payload lacks is asked for, and taken from whoever knows it`() throws {
    let rule = try Fixture.rule(
      """
      name: chat, on: M, names: { by: sender, to: r.id }, data: { by: "{{by?}}", to: "{{to?}}" },
      notify: { type: NewMessage, to: "{{userId}}" }
      """
    )
    let (mia, ben) = (Fixture.mia.uuidString, Fixture.ben.uuidString)
    let event = try Fixture.event("M", "\"sender\":\"\(ben)\",\"by\":\"\",\"r\":{\"id\":\"\(mia)\"}")
    let missing = rule.missingNames(of: event)
    #expect(missing.map(\.member) == ["by", "to"])
    #expect(missing.map(\.user.uuid) == [Fixture.ben, Fixture.mia])
    let evaluation = rule.evaluate(event.adding(["by": "Ben"]), settings: Fixture.berlin) { _ in nil }
    #expect(evaluation.notices.first?.data == ["by": RuleText("Ben")])
    let known = try Fixture.event("M", "\"sender\":\"\(ben)\",\"by\":\"B\",\"r\":{\"id\":\"\"}")
    #expect(rule.missingNames(of: known).isEmpty)
  }

  @Test func `a person goes by any text, and everybody whom an event names so is told of beforehand`() throws {
    var bench = try Bench(
      """
      name: chat, on: M, user: "{{userId}}", names: { by: sender }, data: { by: "{{by?}}" }, when: first,
      notify: { type: NewMessage, to: "{{guests}}" }
      """
    )
    let rule = bench.rule
    let payload = "\"userId\":\"shop/Käthe 7\",\"sender\":\"Élise\",\"guests\":[\"bob\",\"\(Fixture.ben)\"]"
    let event = try Fixture.event("M", payload)
    #expect(rule.contestableUsers(in: event.payload).map(\.description).sorted() == ["bob", "shop/Käthe 7", "Élise"])
    let kaethe = try #require(UserIdentifier("shop/Käthe 7")).uuid
    #expect(try rule.user(of: event) == kaethe)
    try bench.take(event)
    let bob = try #require(UserIdentifier("bob")).uuid
    #expect(bench.notified.first?.audience == .users([bob, Fixture.ben]))
    let uuids = "\"userId\":\"\(Fixture.mia)\",\"sender\":\"\(Fixture.ben)\",\"guests\":[\"\(Fixture.ben)\"]"
    #expect(rule.contestableUsers(in: try Fixture.event("M", uuids).payload).isEmpty)
  }
}
