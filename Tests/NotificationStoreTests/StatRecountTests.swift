import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// Whatever is done, in whatever order and however often: the counts are those of the rows.
struct StatRecountTests {
  private static func recounted(_ client: PostgresClient) async throws -> [String] {
    try await StatMemory.recounted(client).lines
  }

  private static func counted(_ client: PostgresClient) async throws -> [String] {
    try await StatSums.counted(client).lines
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `whatever eight clients send, take back, choose, erase and fold at once, and repeat, is counted once`(
    _ seed: UInt64
  ) async throws {
    try await TestDatabase.with(connections: StatTraffic.workers) { client in
      try await StatMemory.begin(client)
      let traffic = try StatTraffic(seed: seed)
      let store = NotificationStore(client: client)
      // What is not there yet comes when it may have been erased, or has had an outcome.
      _ = try await store.store(Array(traffic.notifications.prefix(200)), contents: traffic.contents)
      let held = try #require(traffic.notifications.prefix(200).first { $0.plan[.email]?.heldUntil != nil })
      _ = try await RequestStore(client: client).withdraw(held.requestID, limit: 1_000) { _ in }
      let shared = try await Self.sharedDevices(of: traffic, client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<StatTraffic.workers {
          group.addTask {
            var worker = StatWorker(number, traffic, shared: shared, seed: seed, client)
            for round in 0..<44 { try await worker.work(round) }
          }
        }
        try await group.waitForAll()
      }
      var worker = StatWorker(0, traffic, shared: shared, seed: seed, client)
      worker.ages = [9 * 86_400]
      for _ in 0..<10 {
        try await worker.choose()
        try await worker.answer()
      }
      // So that each outcome of who was not erased has its notification.
      _ = try await store.store(traffic.notifications, contents: traffic.contents)
      let expected = (try await StatMemory.recounted(client) + traffic.people.sums).lines
      #expect(try await Self.counted(client) == expected)
      try await Self.expectEverything(of: traffic, client)
      _ = try await client.query(StatStore.fold)
      #expect(try await Self.counted(client) == expected)
      // Nobody counts in this moment, so nothing is left.
      let old = "FROM stats WHERE day < (now() AT TIME ZONE 'UTC')::date - 2"
      #expect(try await client.value("SELECT count(*) > 0 AND max(slot) = 0 \(unescaped: old)", as: Bool.self))
      #expect(try await client.miscounted().isEmpty)
    }
  }

  /// Two, of one who is not erased.
  private static func sharedDevices(of traffic: StatTraffic, _ client: PostgresClient) async throws -> [DeviceID] {
    var shared: [DeviceID] = []
    for token in ["phone", "tablet"] {
      let device = try await DeviceStore(client: client).register(.sample(token), of: traffic.everybodys[0]).id
      traffic.people.register(device, of: traffic.everybodys[0])
      shared.append(device)
    }
    return shared
  }

  /// That what was to be counted did happen, and that the model knows what people chose.
  private static func expectEverything(of traffic: StatTraffic, _ client: PostgresClient) async throws {
    for kind in [
      "all_deliveries WHERE former IS NOT NULL", "all_engagement WHERE is_pushed", "all_engagement WHERE NOT is_pushed",
      "all_notifications WHERE in_app = \(InboxState.withdrawn.rawValue)", "all_notifications WHERE request_id = id",
      "all_notifications WHERE push = \(SkipReason.composed.rawValue)",
      "all_notifications WHERE email = \(SkipReason.cancelled.rawValue)", "gone_notifications", "gone_deliveries",
      "gone_engagement",
    ] {
      #expect(try await client.value("SELECT count(*) > 0 FROM \(unescaped: kind)", as: Bool.self), "\(kind)")
    }
    let sums = traffic.people.sums
    for column in [StatSums.Column.unsubscribed, .asked, .granted, .denied] {
      #expect(sums.sum(column) > 0, "\(column)")
    }
    for user in traffic.users {
      let settings = try await SettingsStore(client: client).settings(of: user)
      #expect(settings.isEnabled == traffic.people.isEnabled(user))
      for type in traffic.catalogue {
        let choices = settings.rows.effective(type)
        for channel in choices.channels {
          #expect(choices[channel] == traffic.people.hears(user, of: type, on: channel), "\(type.name) \(channel.name)")
        }
      }
    }
  }

  @Test func `what is opened while its push waits is opened of the notification, and of the push once it is sent`()
    async throws
  {
    try await TestDatabase.with { client in
      try await StatMemory.begin(client)
      let now = Date.now
      let notification = Sample.notification(Sample.user(), push: .hold(until: now, .paused))
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let engagement = EngagementStore(client: client)
      func act(_ action: String?) async throws {
        _ = try await engagement.note(action, of: notification.id, type: 10, by: notification.userID, at: now)
      }
      try await act(nil)
      let change = DecisionChange(
        id: notification.id,
        userID: notification.userID,
        from: .hold(until: now, .paused),
        to: .deliver
      )
      _ = try await NotificationStore(client: client).change(.push, of: [change])
      try await act("GO")
      let sums = try await client.column(
        "SELECT concat_ws(' ', channel, sum(opened), sum(acted)) FROM stats GROUP BY channel ORDER BY channel",
        as: String.self
      )
      #expect(sums == ["0 1 1", "2 0 1"])
      #expect(try await Self.counted(client) == Self.recounted(client))
    }
  }

  @Test func `what was given up and came through after all is moved, and repeated or late outcomes change nothing`()
    async throws
  {
    try await TestDatabase.with { client in
      try await StatMemory.begin(client)
      let notification = Sample.notification(Sample.user())
      let store = NotificationStore(client: client)
      let deliveries = DeliveryStore(client: client)
      for _ in 0..<2 { _ = try await store.store([notification], contents: [try Sample.content()]) }
      for (outcome, expected) in [
        (DeliveryOutcome.exhausted, "1 0 1"), (.exhausted, "1 0 1"), (.rejected, "1 0 1"), (.delivered, "1 1 0"),
        (.delivered, "1 1 0"), (.expired, "1 1 0"),
      ] {
        let record = DeliveryStore.Record(
          userID: notification.userID,
          notificationID: notification.id,
          channel: .push,
          target: "device",
          outcome: outcome,
          attempts: 1,
          type: 10
        )
        try await deliveries.record([record, record])
        let counts: SQLQuery =
          "SELECT concat_ws(' ', sum(sent), sum(delivered), sum(failed)) FROM stats WHERE channel = 2 AND type = 10"
        #expect(try await client.value(counts, as: String.self) == expected, "\(outcome)")
      }
      #expect(try await Self.counted(client) == Self.recounted(client))
    }
  }

  @Test func `an outcome of the release before, which nobody counted, counts when it is replaced`() async throws {
    try await TestDatabase.with { client in
      try await StatMemory.begin(client)
      let notification = Sample.notification(Sample.user())
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      var record = DeliveryStore.Record(
        userID: notification.userID,
        notificationID: notification.id,
        channel: .email,
        target: "ann@example.org",
        outcome: .exhausted,
        attempts: 1
      )
      let deliveries = DeliveryStore(client: client)
      try await deliveries.record([record])
      #expect(try await client.value("SELECT count(*) FROM stats WHERE channel = 3", as: Int.self) == 0)
      (record.outcome, record.type) = (.delivered, 10)
      try await deliveries.record([record])
      #expect(try await Self.counted(client) == Self.recounted(client))
    }
  }

  @Test func `what is not stored is not counted`() async throws {
    try await TestDatabase.with { client in
      try await StatMemory.begin(client)
      let (ann, ben) = (Sample.user(), Sample.user())
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let content = try Sample.content(at: .now - 60)
      let stored = try await NotificationStore(client: client).store(
        [Sample.notification(ann), Sample.notification(ben)],
        contents: [content]
      )
      #expect(stored.map(\.isErased) == [true, false])
      #expect(try await client.value("SELECT sum(sent)::int8 FROM stats", as: Int.self) == 1)
      #expect(try await Self.counted(client) == Self.recounted(client))
    }
  }
}
