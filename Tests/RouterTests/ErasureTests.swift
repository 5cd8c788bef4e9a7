import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Router

/// A router that is about to store when one of its recipients is erased.
@Suite struct ErasureTests {
  /// Erases somebody between the look at the recipients and the writing of the notifications.
  private struct ErasingStore: NotificationStoring {
    let client: PostgresClient
    let user: UserID

    func store(
      _ notifications: [NewNotification],
      contents: [NotificationContent]
    ) async throws -> [StoredNotification] {
      _ = try await ErasureStore(client: client).erase(user, by: nil)
      return try await NotificationStore(client: client).store(notifications, contents: contents)
    }

    func change(_ channel: Channel, of changes: [DecisionChange]) async throws -> Set<NotificationID> {
      try await NotificationStore(client: client).change(channel, of: changes)
    }
  }

  @Test func `who is erased while a router is at it is sent nothing, and nothing of theirs comes back`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let world = HeldWorld()
      let people = (0..<5).map { _ in UserID(UUID()) }
      for user in people {
        _ = try await DeviceStore(client: client).register(
          .init(token: "token-\(user)", platform: .android, name: nil, appVersion: nil),
          of: user
        )
      }
      let erased = people[2]
      // It has a throttle, which counts before anything is stored.
      let type = try #require(try world.router.catalogue.get().type(.code(HeldWorld.throttledHold)))
      let data = ["n": "1", "talk": "a"]
      let now = Date.now
      let content = NotificationContent(
        type: type,
        text: type.template.render(title: nil, body: nil, data: data),
        data: type.carried(of: data),
        relatedEntityType: nil,
        relatedEntityId: nil,
        collapseKey: nil,
        createdAt: now,
        expiresAt: now + 86_400
      )
      let order = RoutingOrder(
        requestId: RequestID(now: now),
        content: content,
        channels: nil,
        recipients: people,
        throttleKey: "a"
      )
      let router = BatchRouter(
        recipients: RecipientStore(client: client),
        viewers: Viewers(store: PresenceStore(client: client), logger: .quiet),
        waiting: HeldStore(client: client),
        notifications: ErasingStore(client: client, user: erased),
        outcomes: DeliveryStore(client: client),
        publisher: RouterPublisher(publisher: world.router.broker)
      )
      try await router.route([RoutingJob(type: type, order: order)], now: now)
      let others = Set(people).subtracting([erased])
      #expect(Set(try world.router.dispatches(.push).flatMap(\.deliveries).map(\.userId)) == others)
      #expect(Set(try world.router.realtime().flatMap(\.events).map(\.userId)) == others)
      // The broker brings the request again, after the erasure.
      try await TestRouter.batchRouter(on: client, publisher: RouterPublisher(publisher: world.router.broker))
        .route([RoutingJob(type: type, order: order)], now: now)
      for table in ["notifications", "inbox", "throttle_uses", "devices", "held"] {
        let rows = try await client.query("SELECT FROM \(unescaped: table) WHERE user_id = \(erased)")
        #expect(rows.isEmpty, "\(table)")
      }
      let stored = try await client.query("SELECT DISTINCT user_id FROM notifications")
      #expect(Set(try stored.map { try $0.get(0, as: UserID.self) }) == others)
    }
  }

  @Test func `what an id from the future names is dated by when it came`() async throws {
    let clock = TestClock()
    var router = TestRouter()
    router.clock = { clock.now }
    for seconds in [1_800.0, -1_800] {
      let body = TestRouter.body([UserID(UUID())])
      let id = RequestID(now: clock.now + seconds).description
      try await router.publish(body, id: id, type: IngestKind.request.messageType)
    }
    try await router.run()
    let dates = try router.realtime().flatMap(\.contents).map(\.createdAt)
    #expect(dates.sorted() == [clock.now - 1_800, clock.now])
  }
}
