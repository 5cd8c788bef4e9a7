import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing
import WallClock

@testable import Router

/// Each recipient is notified in their own words; who reads alike shares them.
@Suite struct ReaderContentsTests {
  private static let file = """
    version: 1
    defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
    types:
    - { code: 900, name: Greeting, category: X, title: "{{name}}", body: { en: "Hello", de: "Hallo" } }
    - { code: 901, name: Due, category: X, title: Due, body: "Due {{at|date}}" }
    - { code: 903, name: Wordy, category: X, title: T, body: { en: "{{x}}", de: "{{x}}{{x}}" } }
    - { code: 904, name: Terse, category: X, title: T, body: { en: "{{x}}{{x}}", de: "{{x}}" } }
    - { code: 902, name: Offer, category: X, title: Offer, actions: [{ id: V, title: { en: View, de: Ansehen } }] }
    """

  private let ann = UserID(UUID())
  private let bob = UserID(UUID())
  private let eve = UserID(UUID())
  private let joe = UserID(UUID())

  private func router(catalogue file: String = file) -> TestRouter {
    var router = TestRouter()
    router.catalogue = Result { try Catalogue(overrides: file) }
    for (user, locale, zone) in [
      (ann, "en-GB", "Europe/London"), (bob, "de", "Europe/Berlin"), (eve, "de-CH", "Europe/Zurich"), (joe, nil, nil),
    ] {
      router.stores.change(user) {
        $0.locale = locale
        $0.zone = zone.flatMap { Zone($0) }
      }
    }
    return router
  }

  private func send(_ rest: String, _ router: TestRouter, to users: [UserID]? = nil) async throws {
    let list = (users ?? [ann, bob, eve, joe]).map { "\"\($0)\"" }.joined(separator: ",")
    try await router.publish(
      #"{"to":{"users":[\#(list)]},\#(rest)}"#,
      id: RequestID(now: .now).description,
      type: "belfry.request"
    )
  }

  /// The texts of each user's pushes.
  private func pushed(_ router: TestRouter, _ text: (NotificationContent) -> String) throws -> [UserID: [String]] {
    try router.dispatches(.push).reduce(into: [:]) { notified, message in
      for delivery in message.deliveries {
        notified[delivery.userId, default: []].append(text(message.contents[delivery.content]))
      }
    }
  }

  @Test func `everybody of a send gets its words in their language, in the inbox and on the device`() async throws {
    let router = router()
    try await send(#""type":900,"data":{"name":"Hi"}"#, router)
    try await router.run()
    #expect(try pushed(router, \.body) == [ann: ["Hello"], bob: ["Hallo"], eve: ["Hallo"], joe: ["Hello"]])
    // Worded twice, published once: two contents, not four.
    #expect(try router.dispatches(.push).map(\.contents.count) == [2])
    #expect(
      [ann, bob, eve, joe].map { router.stores.texts(of: $0).map(\.body) } == [
        ["Hello"], ["Hallo"], ["Hallo"], ["Hello"],
      ]
    )
    let live = try router.realtime().flatMap { message in
      message.events.map { ($0.userId, message.content(of: $0)?.body) }
    }
    #expect(Dictionary(uniqueKeysWithValues: live) == [ann: "Hello", bob: "Hallo", eve: "Hallo", joe: "Hello"])
  }

  @Test func `a request's own title and body stay as they are`() async throws {
    let router = router()
    try await send(#""type":900,"title":"{{T}}","body":"Own""#, router)
    try await router.run()
    #expect(
      try pushed(router) { $0.title + $0.body } == [
        ann: ["{{T}}Own"], bob: ["{{T}}Own"], eve: ["{{T}}Own"], joe: ["{{T}}Own"],
      ]
    )
    #expect(try router.dispatches(.push).map(\.contents.count) == [1])
    #expect(try router.dispatches(.push).flatMap(\.contents).map(\.locale) == [nil])
  }

  /// What is decided of each on their channels, where it is one thing.
  private func decision(_ router: TestRouter, _ user: UserID) -> ChannelDecision? {
    let decisions = router.stores.rows(of: user).flatMap { row in row.plan.entries.map(\.value) }
    return decisions.allSatisfy { $0 == decisions.first } ? decisions.first : nil
  }

  @Test(arguments: [(903, false), (904, false), (903, true), (904, true)])
  func `those in whose words it is too long are left out, the others notified, again as at first, in chunks or not`(
    _ type: Int,
    _ isGroup: Bool
  ) async throws {
    var router = router()
    router.chunkSize = isGroup ? 1 : 10
    router.stores.setGroup("all", [ann, bob, eve, joe])
    let x = String(repeating: "a", count: 2_001)
    let to =
      isGroup
      ? #"{"group":"all"}"# : #"{"users":[\#([ann, bob, eve, joe].map { "\"\($0)\"" }.joined(separator: ","))]}"#
    let (notified, left) = type == 903 ? ([ann, joe], [bob, eve]) : ([bob, eve], [ann, joe])
    let id = RequestID(now: .now).description
    for _ in 0..<2 {
      // As a gateway of an earlier version accepted it.
      try await router.publish(#"{"to":\#(to),"type":\#(type),"data":{"x":"\#(x)"}}"#, id: id, type: "belfry.request")
      try await router.run()
      #expect(Set(try pushed(router, \.body).keys) == Set(notified))
      #expect(left.allSatisfy { decision(router, $0) == .skip(.textTooLong) })
      #expect(notified.allSatisfy { decision(router, $0) == .deliver })
      #expect(left.allSatisfy { router.stores.texts(of: $0) == [.init(title: "", body: "")] })
    }
    #expect(Set(try router.realtime().flatMap(\.events).map(\.userId)) == Set(notified))
    #expect(router.deadLettered.isEmpty && router.isDone)
  }

  @Test func `a sender's own message is refused by the name of what is too long`() async throws {
    let router = router()
    let x = String(repeating: "a", count: 2_001)
    try await router.publish(#"{"to":{"users":["\#(ann)"]},"type":903,"data":{"x":"\#(x)"}}"#, id: "order-1")
    try await router.run()
    #expect(
      router.deadLettered == ["invalid: body: has more than 4000 characters, or 16000 bytes, once it is filled in"]
    )
  }

  @Test func `an instant is a date in the reader's zone`() async throws {
    let router = router()
    try await send(#""type":901,"data":{"at":"2026-11-22T23:30:00Z"}"#, router)
    try await router.run()
    #expect(
      try pushed(router, \.body) == [
        ann: ["Due 22 November 2026"], bob: ["Due November 23, 2026"], eve: ["Due November 23, 2026"],
        joe: ["Due November 22, 2026"],
      ]
    )
  }

  @Test func `buttons in several languages keep readers apart`() async throws {
    let router = router()
    try await send(#""type":902,"title":"T","body":"B""#, router)
    try await router.run()
    let catalogue = try router.catalogue.get()
    let titles = try pushed(router) { content in
      catalogue.actions(of: content.type, locale: content.locale).map(\.title).joined()
    }
    #expect(titles == [ann: ["View"], bob: ["Ansehen"], eve: ["Ansehen"], joe: ["View"]])
  }

  @Test func `several requests of a batch keep their words apart`() async throws {
    let router = router()
    try await send(#""type":900,"data":{"name":"one"}"#, router, to: [bob, ann])
    try await router.send(to: [bob])
    try await send(#""type":900,"data":{"name":"two"}"#, router, to: [joe, bob])
    try await router.run()
    let notified = try pushed(router) { "\($0.title) \($0.body)" }
    #expect(notified[ann] == ["one Hello"])
    #expect(notified[joe] == ["two Hello"])
    #expect(notified[bob]?.count == 3)
    #expect(Set(notified[bob] ?? []).isSuperset(of: ["one Hallo", "two Hallo"]))
  }

  @Test func `the chunks of a large group carry the words; a router of another catalogue keeps those it cannot say`()
    async throws
  {
    var router = router()
    router.chunkSize = 2
    router.maximumBatch = 1
    router.stores.setGroup("g", [ann, bob, eve, joe])
    let body = #"{"to":{"group":"g"},"type":900,"data":{"name":"Hi"}}"#
    try await router.publish(body, id: RequestID(now: .now).description, type: "belfry.request")
    try await router.run()
    #expect(try pushed(router, \.body) == [ann: ["Hello"], bob: ["Hallo"], eve: ["Hallo"], joe: ["Hello"]])

    let other = self.router(
      catalogue: Self.file.replacing("Hallo", with: "Hallo {{new}}").replacing("Hello", with: "{{new}}")
    )
    let order = try #require(try chunk(of: router))
    try await other.publish(order, type: RoutingOrder.chunkType)
    try await other.run()
    #expect(try pushed(other, \.body) == [bob: ["Hello"]])
  }

  /// Bob's part of a group's send, as a router with this test's catalogue cuts it.
  private func chunk(of router: TestRouter) throws -> String? {
    let type = try #require(try router.catalogue.get().type(.code(900)))
    let data = ["name": "Hi"]
    let now = Date.now
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: data),
      data: data,
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: now,
      expiresAt: now + 60
    )
    let order = RoutingOrder(
      requestId: RequestID(now: now),
      content: content,
      wording: Wording(data: data),
      channels: nil,
      recipients: [bob]
    )
    return String(decoding: QueueCoder.encode(order), as: UTF8.self)
  }

  @Test func `a repetition says what was said, whatever the reader's language is by now`() async throws {
    let router = router()
    let id = RequestID(now: .now)
    for locale in ["de", "en"] {
      router.stores.change(bob) { $0.locale = locale }
      try await router.publish(
        #"{"to":{"users":["\#(bob)"]},"type":900,"data":{"name":"Hi"}}"#,
        id: id.description,
        type: "belfry.request"
      )
      try await router.run()
    }
    #expect(try pushed(router, \.body) == [bob: ["Hallo", "Hallo"]])
  }

  @Test func `locale and zone of the profile count`() async throws {
    try await TestDatabase.with { client in
      var router = TestRouter()
      router.catalogue = Result { try Catalogue(overrides: Self.file) }
      for (user, locale, zone) in [(ann, "en", "Asia/Tokyo"), (bob, "de-AT", nil), (eve, nil, "not/a zone")] {
        _ = try await UserStore(client: client).put(
          .init(email: nil, displayName: nil, locale: locale, timezone: zone, isEnabled: true),
          of: user
        )
      }
      try await send(#""type":900,"data":{"name":"Hi"}"#, router)
      try await send(#""type":901,"data":{"at":"2026-11-22T23:30:00Z"}"#, router)
      try await router.worker(on: client).run()
      let rows = try await client.query("SELECT user_id, body FROM notifications ORDER BY type, body")
      let stored = try rows.map { try "\(name($0.get(0))) \($0.get(1, as: String.self))" }
      #expect(
        stored.sorted() == [
          "ann Due November 23, 2026", "ann Hello", "bob Due November 22, 2026", "bob Hallo",
          "eve Due November 22, 2026", "eve Hello", "joe Due November 22, 2026", "joe Hello",
        ]
      )
    }
  }

  private func name(_ user: UserID) -> String { [ann: "ann", bob: "bob", eve: "eve", joe: "joe"][user] ?? "?" }
}
