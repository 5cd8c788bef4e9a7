import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What was decided on each channel, as it is stored, read and changed.
struct DecisionTests {
  /// A channel of a later version, and reasons of one.
  private static let later = Channel(rawValue: 7)
  private static let until = Date(timeIntervalSince1970: 1_800_000_000.25)
  private static let plans: [RoutingPlan] = [
    PerChannel(inApp: .deliver, push: .deliver, email: .skip(.preferenceOff)),
    PerChannel(inApp: .skip(.expired), push: .hold(until: until, .quietHours), email: .hold(until: until, .digest)),
    PerChannel(
      inApp: .deliver,
      push: .skip(SkipReason(rawValue: 99)),
      email: .hold(until: until, HoldReason(rawValue: 77))
    ),
    with(later, .deliver), with(later, .skip(SkipReason(rawValue: 12))), with(later, .hold(until: until, .throttled)),
  ]

  private static func with(_ channel: Channel, _ decision: ChannelDecision) -> RoutingPlan {
    var plan: RoutingPlan = PerChannel(inApp: .deliver, push: .deliver, email: .deliver)
    plan[channel] = decision
    return plan
  }

  private static func notification(_ plan: RoutingPlan, of user: UserID = Sample.user()) -> NewNotification {
    var notification = Sample.notification(user)
    notification.plan = plan
    return notification
  }

  private static func log(_ notification: NewNotification, _ client: PostgresClient) async throws -> [String] {
    try await client.column(
      """
      SELECT concat_ws(' ', channel, outcome, reason) FROM delivery_log
      WHERE user_id = \(notification.userID) AND notification_id = \(notification.id) ORDER BY channel
      """
    )
  }

  @Test func `what was decided and said first is what counts, channels of other versions included`() async throws {
    try await TestDatabase.with { client in
      let store = NotificationStore(client: client)
      let first = Self.plans.map { Self.notification($0) }
      let stored = try await store.store(first, contents: [try Sample.content(title: "First")])
      #expect(stored.allSatisfy { $0.isNew && $0.former == nil })
      let again = first.map { notification in
        var notification = notification
        notification.plan = PerChannel(inApp: .skip(.expired), push: .skip(.expired), email: .skip(.expired))
        return notification
      }
      let new = Self.notification(Self.plans[0])
      let repeated = try await store.store([new] + again, contents: [try Sample.content(title: "Second")])
      #expect(repeated[0].isNew && repeated[0].former == nil)
      #expect(repeated.dropFirst().map(\.former?.plan) == Self.plans)
      #expect(repeated.dropFirst().allSatisfy { !$0.isNew && $0.former?.title == "First" && $0.former?.body == "Body" })
    }
  }

  @Test func `a row whose three codes say everything has no object`() async throws {
    try await TestDatabase.with { client in
      let all = Self.plans.map { Self.notification($0) }
      _ = try await NotificationStore(client: client).store(all, contents: [try Sample.content()])
      let without = try await client.value("SELECT count(*) FROM notifications WHERE decisions IS NULL", as: Int.self)
      #expect(without == 1)
    }
  }

  @Test func `the log says what waits until when, and what happens on channels of other versions`() async throws {
    try await TestDatabase.with { client in
      let notifications = Self.plans.map { Self.notification($0) }
      _ = try await NotificationStore(client: client).store(notifications, contents: [try Sample.content()])
      #expect(
        try await Self.log(notifications[1], client) == [
          "1 skipped expired", "2 held quietHours until 2027-01-15T08:00:00.250Z",
          "3 held digest until 2027-01-15T08:00:00.250Z",
        ]
      )
      #expect(try await Self.log(notifications[3], client) == ["1 delivered", "2 pending", "3 pending", "7 pending"])
      #expect(
        try await Self.log(notifications[5], client).last == "7 held throttled until 2027-01-15T08:00:00.250Z"
      )
      for reason in HoldReason.allCases {
        #expect(try await client.value("SELECT belfry_hold_reason(\(reason.rawValue))", as: String.self) == reason.name)
      }
    }
  }

  @Test(arguments: [Channel.push, .email, later])
  func `what was held is delivered once it is changed, by one of those who try`(_ channel: Channel) async throws {
    try await TestDatabase.with(connections: 4) { client in
      let store = NotificationStore(client: client)
      let held = ChannelDecision.hold(until: Self.until, .quietHours)
      let notifications = Sample.users(20).map { Self.notification(Self.with(channel, held), of: $0) }
      _ = try await store.store(notifications, contents: [try Sample.content()])
      let changes = notifications.map { DecisionChange(id: $0.id, userID: $0.userID, from: held, to: .deliver) }
      let changed: [NotificationID] = try await withThrowingTaskGroup(of: Set<NotificationID>.self) { group in
        for _ in 0..<6 { group.addTask { try await store.change(channel, of: changes.shuffled()) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(changed.count == 20)
      #expect(Set(changed) == Set(notifications.map(\.id)))
      let after = try await store.store(notifications, contents: [try Sample.content()])
      #expect(after.allSatisfy { $0.former?.plan == Self.with(channel, .deliver) })
      #expect(try await Self.log(notifications[0], client).contains("\(channel.rawValue) pending"))
    }
  }

  @Test func `a decision changes only while it is what the caller knows and has no outcome, and never in the inbox`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = NotificationStore(client: client)
      let held = ChannelDecision.hold(until: Self.until, .paused)
      let sent = Self.notification(Self.with(.push, .deliver))
      let waiting = Self.notification(Self.with(.push, held))
      _ = try await store.store([sent, waiting], contents: [try Sample.content()])
      try await DeliveryStore(client: client).record([
        .init(
          userID: sent.userID,
          notificationID: sent.id,
          channel: .push,
          target: "phone",
          outcome: .delivered,
          attempts: 1
        )
      ])
      func change(_ item: NewNotification, _ channel: Channel, _ from: ChannelDecision, _ to: ChannelDecision)
        async throws
        -> Int
      {
        try await store.change(channel, of: [.init(id: item.id, userID: item.userID, from: from, to: to)]).count
      }
      #expect(try await change(sent, .push, .deliver, .skip(.noActiveDevice)) == 0)
      #expect(try await change(waiting, .push, .deliver, .skip(.noActiveDevice)) == 0)
      #expect(try await change(waiting, .inApp, .deliver, .skip(.expired)) == 0)
      #expect(try await change(waiting, .push, held, .hold(until: Self.until + 60, .paused)) == 1)
      #expect(try await Self.log(waiting, client)[1] == "2 held paused until 2027-01-15T08:01:00.250Z")
      #expect(try await change(waiting, .push, held, .skip(.expired)) == 1)
      #expect(try await Self.log(waiting, client)[1] == "2 skipped expired")
      #expect(try await client.value("SELECT count(*) FROM notifications WHERE decisions IS NULL", as: Int.self) == 2)
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `what was to be delivered and expired is pending no more once that is recorded, and finished for good`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = NotificationStore(client: client)
      let deliveries = DeliveryStore(client: client)
      let notification = Self.notification(PerChannel(inApp: .deliver, push: .deliver, email: .deliver))
      _ = try await store.store([notification], contents: [try Sample.content()])
      #expect(try await Self.log(notification, client) == ["1 delivered", "2 pending", "3 pending"])
      // Routed again when it has expired: what was stored decides.
      var again = notification
      again.plan = PerChannel(inApp: .skip(.expired), push: .skip(.expired), email: .skip(.expired))
      let repeated = try await store.store([again], contents: [try Sample.content()])
      #expect(repeated.map(\.former?.plan) == [notification.plan])
      for channel in [Channel.push, .email] {
        try await deliveries.record([
          .init(
            userID: notification.userID,
            notificationID: notification.id,
            channel: channel,
            target: "target",
            outcome: .expired,
            reason: "too late",
            attempts: 0
          )
        ])
        let finished = try await deliveries.finished([(notification.userID, notification.id)], channel: channel)
        #expect(finished.map(\.target) == ["target"])
      }
      #expect(
        try await Self.log(notification, client) == ["1 delivered", "2 expired too late", "3 expired too late"]
      )
    }
  }

  @Test func `rows of the schema before are what they were`() async throws {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        let before = Schema.migrations.filter { $0.name < "m0005" }
        _ = try await PostgresMigrator.apply(before, with: client, logger: .quiet)
        let notification = Self.notification(Self.plans[0])
        _ = try await client.query(
          """
          INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at, expires_at)
          VALUES (\(notification.userID), \(notification.id), \(notification.requestID), 10, 'First', 'Body', 0, 4, 2, 1, now(), now())
          """
        )
        try await Schema.migrate(client, logger: .quiet)
        let former = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
        #expect(
          former[0].former?.plan
            == PerChannel(inApp: .deliver, push: .skip(.noActiveDevice), email: .skip(.preferenceOff))
        )
      }
    }
  }
}
