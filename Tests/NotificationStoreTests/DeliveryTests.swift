import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

struct DeliveryTests {
  private static func record(
    _ notification: NewNotification,
    _ outcome: DeliveryOutcome,
    target: String = "device",
    channel: Channel = .push,
    reason: String? = nil,
    attempts: Int = 1
  ) -> DeliveryStore.Record {
    DeliveryStore.Record(
      userID: notification.userID,
      notificationID: notification.id,
      channel: channel,
      target: target,
      outcome: outcome,
      reason: reason,
      attempts: attempts
    )
  }

  private static func outcomes(_ client: PostgresClient) async throws -> [String] {
    try await client.column("SELECT target || ':' || outcome || ':' || coalesce(reason, '') FROM deliveries ORDER BY 1")
  }

  @Test func `what is delivered stays delivered`() async throws {
    try await TestDatabase.with { client in
      let store = DeliveryStore(client: client)
      let notification = Sample.notification(Sample.user())
      try await store.record([Self.record(notification, .delivered)])
      try await store.record([Self.record(notification, .exhausted, reason: "late", attempts: 9)])
      #expect(try await Self.outcomes(client) == ["device:1:"])
    }
  }

  @Test func `what is exhausted may be delivered after all`() async throws {
    try await TestDatabase.with { client in
      let store = DeliveryStore(client: client)
      let notification = Sample.notification(Sample.user())
      let key = [(user: notification.userID, id: notification.id)]
      try await store.record([Self.record(notification, .exhausted, reason: "UNAVAILABLE", attempts: 6)])
      #expect(try await store.finished(key, channel: .push).isEmpty)
      try await store.record([Self.record(notification, .delivered, attempts: 7)])
      #expect(
        try await store.finished(key, channel: .push) == [.init(notificationID: notification.id, target: "device")]
      )
      #expect(try await client.value("SELECT attempts FROM deliveries", as: Int.self) == 7)
    }
  }

  @Test func `what is uncertain may be repeated once, and delivered after all`() async throws {
    try await TestDatabase.with { client in
      let store = DeliveryStore(client: client)
      let (first, second) = (Sample.notification(Sample.user()), Sample.notification(Sample.user()))
      func uncertain(_ notification: NewNotification, attempts: Int = 1) -> DeliveryStore.Record {
        var record = Self.record(notification, .uncertain, target: "a@b", channel: .email, reason: "no answer")
        (record.type, record.attempts) = (10, attempts)
        return record
      }
      let keys = [(user: first.userID, id: first.id), (user: second.userID, id: second.id)]
      try await store.record([uncertain(first), uncertain(second)])
      #expect(try await store.finished(keys, channel: .email).isEmpty)
      // Written again it is no second attempt.
      try await store.record([uncertain(first), uncertain(second)])
      #expect(try await store.finished(keys, channel: .email).isEmpty)
      try await store.record([
        uncertain(first, attempts: 2), Self.record(second, .delivered, target: "a@b", channel: .email),
      ])
      #expect(
        try await store.finished(keys, channel: .email) == [
          .init(notificationID: first.id, target: "a@b"), .init(notificationID: second.id, target: "a@b"),
        ]
      )
      let log: [String] = try await client.column(
        "SELECT outcome FROM delivery_log WHERE target = 'a@b' ORDER BY outcome"
      )
      #expect(log == ["delivered", "uncertain"])
      // Among what failed, as long as it is not delivered.
      let counts: SQLQuery =
        "SELECT sum(sent) || ' ' || sum(delivered) || ' ' || sum(failed) FROM stats WHERE type = 10 AND channel = 3"
      #expect(try await client.value(counts, as: String.self) == "2 1 1")
    }
  }

  @Test func `what is uncertain stays so if it is not tried again, and not if it is refused`() async throws {
    try await TestDatabase.with { client in
      let store = DeliveryStore(client: client)
      let notification = Sample.notification(Sample.user())
      func record(_ outcome: DeliveryOutcome, _ reason: String?, attempts: Int = 2) async throws {
        try await store.record([Self.record(notification, outcome, reason: reason, attempts: attempts)])
      }
      try await record(.uncertain, "no answer", attempts: 1)
      try await record(.rejected, "preferenceOff")
      try await record(.rejected, "emailSuppressed")
      try await record(.expired, "expired before it could be delivered")
      #expect(try await Self.outcomes(client) == ["device:5:no answer"])
      try await record(.rejected, "550 5.1.1", attempts: 1)
      #expect(try await Self.outcomes(client) == ["device:2:550 5.1.1"])
    }
  }

  @Test func `of several outcomes in one call the delivery counts, else the last`() async throws {
    try await TestDatabase.with { client in
      let store = DeliveryStore(client: client)
      let notification = Sample.notification(Sample.user())
      try await store.record([
        Self.record(notification, .exhausted, target: "a", reason: "first"),
        Self.record(notification, .delivered, target: "b"),
        Self.record(notification, .rejected, target: "a", reason: "last"),
        Self.record(notification, .exhausted, target: "b", reason: "late"),
      ])
      #expect(try await Self.outcomes(client) == ["a:2:last", "b:1:"])
      try await store.record([])
    }
  }

  @Test func `finished targets are those of the asked notifications and channel`() async throws {
    try await TestDatabase.with { client in
      let store = DeliveryStore(client: client)
      let first = Sample.notification(Sample.user())
      let second = Sample.notification(Sample.user())
      let third = Sample.notification(Sample.user())
      try await store.record([
        Self.record(first, .delivered, target: "a"),
        Self.record(first, .rejected, target: "b", reason: "UNREGISTERED"),
        Self.record(first, .exhausted, target: "c", reason: "UNAVAILABLE"),
        Self.record(first, .delivered, target: "ann@example.org", channel: .email),
        Self.record(second, .expired, target: "a"),
        Self.record(third, .delivered, target: "a"),
      ])
      let asked = [first, second].map { (user: $0.userID, id: $0.id) }
      #expect(
        try await store.finished(asked, channel: .push) == [
          .init(notificationID: first.id, target: "a"), .init(notificationID: first.id, target: "b"),
          .init(notificationID: second.id, target: "a"),
        ]
      )
      #expect(try await store.finished(asked, channel: .email).map(\.target) == ["ann@example.org"])
      #expect(try await store.finished([], channel: .push).isEmpty)
    }
  }

  @Test func `concurrent calls over the same targets do not deadlock`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = DeliveryStore(client: client)
      let notifications = Sample.users(50).map { Sample.notification($0) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          let records = notifications.shuffled().map { Self.record($0, .rejected) }
          group.addTask { try await store.record(records) }
        }
        try await group.waitForAll()
      }
      #expect(try await client.value("SELECT count(*) FROM deliveries", as: Int.self) == 50)
    }
  }

  @Test func `the delivery log has a row with an outcome and a reason for each recipient and channel`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.notification(Sample.user())
      let bob = Sample.notification(Sample.user(), inApp: .skip(.preferenceOff), push: .skip(.noActiveDevice))
      let eve = Sample.notification(Sample.user(), email: .deliver)
      _ = try await NotificationStore(client: client).store([ann, bob, eve], contents: [try Sample.content()])
      try await DeliveryStore(client: client).record([
        Self.record(ann, .delivered, target: "phone"),
        Self.record(ann, .rejected, target: "tablet", reason: "UNREGISTERED"),
        Self.record(eve, .exhausted, target: "eve@example.org", channel: .email, reason: "421 4.7.0", attempts: 6),
      ])
      func log(_ notification: NewNotification) async throws -> [String] {
        try await client.column(
          """
          SELECT concat_ws(' ', channel, nullif(target, ''), outcome, reason) FROM delivery_log
          WHERE user_id = \(notification.userID) AND notification_id = \(notification.id) ORDER BY channel, target
          """
        )
      }
      #expect(
        try await log(ann) == [
          "1 delivered", "2 phone delivered", "2 tablet rejected UNREGISTERED", "3 skipped preferenceOff",
        ]
      )
      #expect(try await log(bob) == ["1 skipped preferenceOff", "2 skipped noActiveDevice", "3 skipped preferenceOff"])
      #expect(try await log(eve) == ["1 delivered", "2 pending", "3 eve@example.org exhausted 421 4.7.0"])
      for (decision, logged): (ChannelDecision, String) in [
        (.leftInbox(.deleted), "delivered deleted"), (.leftInbox(.archived), "delivered archived"),
        (.leftInbox(.snoozed), "delivered snoozed"), (.leftInbox(.withdrawn), "delivered withdrawn"),
        (.skip(.cancelled), "skipped cancelled"),
      ] {
        _ = try await client.query(
          "UPDATE notifications SET in_app = \(decision.code) WHERE user_id = \(eve.userID) AND id = \(eve.id)"
        )
        #expect(try await log(eve).first == "1 \(logged)")
      }
      let names =
        SkipReason.allCases.map { ($0.rawValue, $0.name) }
        + InboxState.allCases.filter { $0 != .inbox }.map { ($0.rawValue, $0.name) }
      for (code, name) in names {
        #expect(try await client.value("SELECT belfry_skip_reason(\(code))", as: String.self) == name)
      }
    }
  }
}
