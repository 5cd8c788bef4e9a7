import Broker
import CatalogueVersions
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Router

/// The same on a real database: any number of routers hold and deliver at once.
@Suite struct HeldDatabaseTests {
  private let people = (0..<40).map { _ in UserID(UUID()) }

  /// Everybody has a phone.
  private func register(_ client: PostgresClient) async throws {
    for user in people {
      _ = try await DeviceStore(client: client).register(
        .init(token: "token-\(user)", platform: .android, name: nil, appVersion: nil),
        of: user
      )
    }
  }

  /// - Parameter publisher: Nil is one that always reaches the broker.
  private func heldWorker(
    _ world: HeldWorld,
    _ client: PostgresClient,
    publisher: (any MessagePublisher)? = nil
  ) throws -> HeldWorker {
    let store = HeldStore(client: client)
    let catalogue = try world.router.catalogue.get()
    let types = HeldTypes(CatalogueInForce(catalogue))
    let clock = world.clock
    return HeldWorker(
      store: store,
      processor: HeldProcessor(
        store: store,
        recipients: RecipientStore(client: client),
        viewers: Viewers(store: PresenceStore(client: client), logger: .quiet),
        withdrawals: ScheduleStore(client: client),
        outcomes: DeliveryStore(client: client),
        publisher: RouterPublisher(publisher: publisher ?? world.router.broker),
        types: types,
        channels: catalogue.channels,
        clock: { clock.now }
      ),
      types: types,
      logger: .quiet,
      clock: UncheckedClock { clock.now }
    )
  }

  /// So many requests of a type to all, one after the other, each by a router of its own at the same time.
  private func route(_ type: Int, _ count: Int, _ world: HeldWorld, _ client: PostgresClient) async throws {
    let known = try #require(try world.router.catalogue.get().type(.code(type)))
    let now = world.clock.now
    let router = TestRouter.batchRouter(on: client, publisher: RouterPublisher(publisher: world.router.broker))
    try await withThrowingTaskGroup { group in
      for number in 1...count {
        let data = ["n": "\(number)", "talk": "a"]
        let content = NotificationContent(
          type: known,
          text: known.template.render(title: nil, body: nil, data: data),
          data: known.carried(of: data),
          relatedEntityType: nil,
          relatedEntityId: nil,
          collapseKey: nil,
          createdAt: now,
          expiresAt: now + 86_400
        )
        let order = RoutingOrder(
          requestId: RequestID(now: now + Double(number) / 1_000),
          content: content,
          channels: nil,
          recipients: people.shuffled(),
          digestKey: "a",
          throttleKey: "a"
        )
        group.addTask { try await router.route([RoutingJob(type: known, order: order)], now: now) }
      }
      try await group.waitForAll()
    }
  }

  /// Several routers take what is due until nothing is left.
  private func notify(_ world: HeldWorld, _ client: PostgresClient) async throws {
    let worker = try heldWorker(world, client)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { while try await worker.takeBatch() {} } }
      try await group.waitForAll()
    }
    // What one of them could not have because another was at it.
    while try await worker.takeBatch() {}
  }

  private func notified(_ world: HeldWorld) throws -> [UserID: [String]] {
    var notified: [UserID: [String]] = [:]
    for message in try world.router.dispatches(.push) {
      for delivery in message.deliveries {
        let content = message.contents[delivery.content]
        notified[delivery.userId, default: []].append("\(content.title): \(content.body)")
      }
    }
    return notified
  }

  @Test func `of six in a digest's window everybody gets one push, from however many routers`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let world = HeldWorld()
      try await register(client)
      try await route(HeldWorld.digest, 6, world, client)
      #expect(try notified(world).isEmpty)
      world.clock.advance(by: 3_600)
      try await notify(world, client)
      let notified = try notified(world)
      #expect(Set(notified.keys) == Set(people))
      #expect(notified.values.allSatisfy { $0 == ["6 messages: the last is 6"] })
      #expect(try await client.query("SELECT FROM held").isEmpty)
      let log = try await client.query(
        """
        SELECT reason, count(*)::int8 FROM delivery_log WHERE channel = 2 AND reason IS NOT NULL
        GROUP BY 1 ORDER BY 1
        """
      )
      #expect(try log.map { try $0.get(0, as: String.self) } == ["composed"])
      #expect(try log.map { try $0.get(1, as: Int.self) } == [240])
      let counts = try await InboxStore(client: client).counts(of: people[0])
      #expect(counts == .init(unread: 6, total: 6))
    }
  }

  @Test func `what is withdrawn while routers send it in digests is delivered or counted, and takes no other with it`()
    async throws
  {
    try await TestDatabase.with(connections: 8) { client in
      let world = HeldWorld()
      try await register(client)
      try await route(HeldWorld.digest, 6, world, client)
      let requests = try await client.query("SELECT DISTINCT request_id FROM notifications ORDER BY 1").map {
        try $0.get(0, as: RequestID.self)
      }
      world.clock.advance(by: 3_600)
      async let notifying: Void = notify(world, client)
      let store = RequestStore(client: client)
      var withdrawn = 0
      for request in [requests[0], requests[3]] {
        withdrawn += try await store.withdrawWaiting(of: request, limit: 1_000).count
      }
      try await notifying
      // What lost a companion while it was composed.
      world.clock.advance(by: 1)
      try await notify(world, client)
      #expect(try await client.query("SELECT FROM held").isEmpty)
      let cancelled = try await client.query("SELECT user_id FROM notifications WHERE push = 14").map {
        try $0.get(0, as: UserID.self)
      }
      #expect(cancelled.count == withdrawn)
      let notified = try notified(world)
      for user in people {
        let count = notified[user, default: []].reduce(0) { sum, text in
          // "6 messages: …", or "Message 1: …" for a single one.
          sum + (text.split(separator: " ").first.flatMap { Int($0) } ?? 1)
        }
        #expect(count + cancelled.count { $0 == user } == 6, "\(notified[user] ?? [])")
      }
    }
  }

  @Test func `what a router composed before it died is delivered as it was, whatever came due meanwhile`() async throws
  {
    try await TestDatabase.with(connections: 4) { client in
      let world = HeldWorld()
      try await register(client)
      try await route(HeldWorld.digest, 3, world, client)
      world.clock.advance(by: 3_600)
      let life = Lifetime(until: .init(step: 1, isAfter: false))
      let dying = try heldWorker(world, client, publisher: world.router.broker.publisher(living: life))
      await #expect(throws: (any Error).self) { _ = try await dying.takeBatch() }
      #expect(try notified(world).isEmpty)
      let settled = try await client.query(
        "SELECT count(DISTINCT composed_in), count(*) FROM held WHERE composed_in IS NOT NULL"
      )
      #expect(try settled.first?.get(0, as: Int.self) == 40)
      #expect(try settled.first?.get(1, as: Int.self) == 120)
      try await route(HeldWorld.digest, 2, world, client)
      // The claim of the dead one has not ended, then it has, and then the next window too.
      try await notify(world, client)
      #expect(try notified(world).isEmpty)
      world.clock.advance(by: 60)
      try await notify(world, client)
      #expect(try notified(world).values.allSatisfy { $0 == ["3 messages: the last is 3"] })
      world.clock.advance(by: 3_600)
      try await notify(world, client)
      let notified = try notified(world)
      #expect(Set(notified.keys) == Set(people))
      #expect(notified.values.allSatisfy { $0 == ["3 messages: the last is 3", "2 messages: the last is 2"] })
      #expect(try await client.query("SELECT FROM held").isEmpty)
    }
  }

  @Test func `of eight at once everybody gets three an hour, from however many routers`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let world = HeldWorld()
      try await register(client)
      try await route(HeldWorld.throttledHold, 8, world, client)
      for wanted in [3, 6, 8, 8] {
        let notified = try notified(world)
        #expect(notified.count == people.count)
        #expect(notified.values.allSatisfy { $0.count == wanted && Set($0).count == wanted }, "\(wanted)")
        world.clock.advance(by: 3_600)
        try await notify(world, client)
      }
      #expect(try await client.query("SELECT FROM held").isEmpty)
    }
  }

  @Test func `mail goes to those who have not read it`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let world = HeldWorld()
      for user in people {
        _ = try await client.query("INSERT INTO users (user_id, email) VALUES (\(user), \("\(user)@example.org"))")
      }
      try await route(HeldWorld.mailIfUnread, 1, world, client)
      let readers = people.prefix(10)
      for user in readers {
        let page = try await InboxStore(client: client).page(of: user, filter: .init(), offset: 0, limit: 1)
        _ = try await InboxStore(client: client).apply(
          .read,
          to: [try #require(page.items.first).id],
          of: user,
          at: .now
        )
      }
      world.clock.advance(by: 900)
      try await notify(world, client)
      let mailed = try world.router.dispatches(.email).flatMap(\.deliveries).map(\.userId)
      #expect(mailed.count == 30)
      #expect(Set(mailed) == Set(people.dropFirst(10)))
      #expect(try await client.query("SELECT FROM held").isEmpty)
    }
  }
}
