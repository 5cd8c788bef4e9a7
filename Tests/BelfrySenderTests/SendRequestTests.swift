import Foundation
import Testing

@testable import BelfrySender

@Suite struct SendRequestTests {
  private static let noon = Date(timeIntervalSince1970: 1_796_126_400)

  @Test func `a body has every member as the gateway reads it, in the same order each time`() throws {
    let request = SendRequest(to: .group("family:demo", except: ["ann"]), type: "AllowanceDeposit")
      .title("Title").body("One\nTwo").data(["amount": "$5.00", "count": 3, "isLarge": true, "rate": .decimal(1.25)])
      .about("Transaction", id: "t/1").channels(.inApp, .push).collapsing("allowance").silent()
      .at(Self.noon).expiring(at: Self.noon + 60)
    let expected = """
      {"body":"One\\nTwo","channels":["inApp","push"],"collapseKey":"allowance",\
      "data":{"amount":"$5.00","count":3,"isLarge":true,"rate":1.25},"expiresAt":"2026-12-01T12:01:00.000Z",\
      "relatedEntityId":"t/1","relatedEntityType":"Transaction","sendAt":"2026-12-01T12:00:00.000Z","silent":true,\
      "title":"Title","to":{"except":["ann"],"group":"family:demo"},"type":"AllowanceDeposit"}
      """
    for _ in 0..<10 { #expect(try request.text() == expected) }
  }

  @Test func `what is not given is not there`() throws {
    #expect(try SendRequest(to: .user("ann"), type: 99).text() == #"{"to":{"users":["ann"]},"type":99}"#)
  }

  @Test func `each step answers a copy`() throws {
    let plain = SendRequest(to: .user("ann"), type: 99)
    let titled = plain.title("Hello")
    #expect(try plain.text() == #"{"to":{"users":["ann"]},"type":99}"#)
    #expect(try titled.text() == #"{"title":"Hello","to":{"users":["ann"]},"type":99}"#)
  }

  @Test(arguments: [
    (Audience.users(["ann", "bob"], except: ["bob"]), #"{"except":["bob"],"users":["ann","bob"]}"#),
    (.everyone(), #"{"everyone":true}"#),
    (.everyone(except: ["ann"]), #"{"everyone":true,"except":["ann"]}"#),
    (.topic("news"), #"{"topic":"news"}"#),
    (.condition("'news' in topics && 'berlin' in topics"), #"{"condition":"'news' in topics && 'berlin' in topics"}"#),
  ])
  func `an audience is of one kind`(audience: Audience, json: String) throws {
    #expect(try SendRequest(to: audience, type: 99).text() == #"{"to":\#(json),"type":99}"#)
  }

  @Test func `all that is wrong is named, by the paths of the gateway`() {
    let long = String(repeating: "x", count: 201)
    let request = SendRequest(to: .users(["ann", "", "\u{7}", "..", String(repeating: "x", count: 129)]), type: 0)
      .title(long).body("a\u{0}").collapsing("a b").about(long, id: long)
      .at(Self.noon).expiring(at: Self.noon)
    let wrong: Set = [
      "to.users[1]", "to.users[2]", "to.users[3]", "to.users[4]", "type", "title", "body", "collapseKey",
      "relatedEntityType", "relatedEntityId", "expiresAt",
    ]
    #expect(Set(request.wrongFields()) == wrong)
  }

  @Test(arguments: [
    (Audience.users([]), "to.users"), (.users([String](repeating: "ann", count: 1_001)), "to.users"),
    (.group(""), "to.group"), (.group("g", except: [String](repeating: "ann", count: 1_001)), "to.except"),
    (.topic(""), "to.topic"), (.topic("no topic"), "to.topic"), (.topic("müll"), "to.topic"),
    (.condition("news"), "to.condition"),
  ])
  func `an audience that cannot be is refused`(audience: Audience, field: String) {
    #expect(SendRequest(to: audience, type: 99).wrongFields() == [field])
  }

  @Test func `a topic gets pushes alone`() {
    let request = SendRequest(to: .topic("news"), type: 99)
    #expect(request.channels(.push, .email).wrongFields() == [])
    #expect(request.channels(.email).silent().wrongFields() == ["channels", "silent"])
  }

  @Test(arguments: ["from", "message_type", "google.c", "gcm", "", "a\u{1}"])
  func `data has no names that the gateway refuses`(name: String) {
    #expect(SendRequest.hello.data([name: "value"]).wrongFields() == ["data.\(name)"])
  }

  @Test func `data has limits`() {
    let many = Dictionary(uniqueKeysWithValues: (0..<65).map { ("n\($0)", DataValue.integer(1)) })
    #expect(SendRequest.hello.data(many).wrongFields() == ["data"])
    #expect(SendRequest.hello.data(["n": .text(String(repeating: "x", count: 4_095))]).wrongFields() == [])
    #expect(SendRequest.hello.data(["n": .text(String(repeating: "x", count: 4_096))]).wrongFields() == ["data"])
    #expect(SendRequest.hello.data(["n": .decimal(.nan)]).wrongFields() == ["data.n"])
  }

  @Test func `characters are counted as readers see them, and bytes as well`() {
    let family = "👨‍👩‍👧‍👦"
    #expect(SendRequest.hello.title(String(repeating: "é", count: 200)).wrongFields() == [])
    #expect(SendRequest.hello.title(String(repeating: "x", count: 200)).wrongFields() == [])
    #expect(SendRequest.hello.title(String(repeating: family, count: 100)).wrongFields() == ["title"])
  }

  @Test func `nothing is sent of a request that is wrong`() async throws {
    let transport = InMemoryTransport(.accepted)
    let sender = try BelfrySender.testing(transport)
    let error = try await failure { try await sender.send(SendRequest(to: .group(""), type: 99)) }
    #expect(error.code == .invalid)
    #expect(error.fields.map(\.field) == ["to.group"])
    #expect(!error.isUncertain)
    let key = try await failure { try await sender.send(.hello, key: "a b") }
    #expect(key.fields.map(\.field) == ["Idempotency-Key"])
    #expect(transport.asked.isEmpty)
  }
}
