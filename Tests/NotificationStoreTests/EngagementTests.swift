import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What users did with what they were sent.
struct EngagementTests {
  /// Opened, and buttons used, by the statistics, whatever the channels.
  private func counted(_ client: PostgresClient) async throws -> [Int] {
    let row = try #require(
      try await client.query(
        "SELECT coalesce(sum(opened), 0)::int8, coalesce(sum(acted), 0)::int8 FROM stats WHERE channel = 0"
      ).first
    )
    return [try row.get(0), try row.get(1)]
  }

  @Test func `a button that is called opened is not the mark of opening`() async throws {
    try await TestDatabase.with { client in
      let notification = Sample.notification(Sample.user())
      let (user, id) = (notification.userID, notification.id)
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let engagement = EngagementStore(client: client)
      for _ in 0..<2 { _ = try await engagement.note("opened", of: id, type: 10, by: user, at: .now) }
      #expect(try await counted(client) == [0, 1])
      #expect(try await InboxStore(client: client).item(id, of: user)?.openedAt == nil)
      for _ in 0..<2 { _ = try await engagement.note(nil, of: id, type: 10, by: user, at: .now) }
      #expect(try await counted(client) == [1, 1])
      #expect(try await InboxStore(client: client).item(id, of: user)?.openedAt != nil)
    }
  }

  @Test func `it is counted with each channel that the notification went out on, and not with the inbox`() async throws
  {
    try await TestDatabase.with { client in
      var notification = Sample.notification(Sample.user(), push: .deliver, email: .skip(.preferenceOff))
      notification.plan[Channel(rawValue: 4)] = .deliver
      notification.plan[Channel(rawValue: 5)] = .skip(.preferenceOff)
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      _ = try await EngagementStore(client: client).note(
        nil,
        of: notification.id,
        type: 10,
        by: notification.userID,
        at: .now
      )
      let rows = try await client.query("SELECT channel, opened FROM stats WHERE opened <> 0 ORDER BY channel")
      var counted: [Int: Int] = [:]
      for row in rows { counted[try row.get(0)] = try row.get(1) }
      #expect(counted == [0: 1, 2: 1, 4: 1])
    }
  }

  @Test func `no more names of buttons are kept of a notification than it can have, and opening counts all the same`()
    async throws
  {
    try await TestDatabase.with { client in
      let notification = Sample.notification(Sample.user())
      let (user, id) = (notification.userID, notification.id)
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let engagement = EngagementStore(client: client)
      let most = EngagementStore.maximumActions
      for number in 0..<most + 5 {
        _ = try await engagement.note("button-\(number)", of: id, type: 10, by: user, at: .now)
      }
      #expect(try await counted(client) == [0, most])
      _ = try await engagement.note(nil, of: id, type: 10, by: user, at: .now)
      #expect(try await counted(client) == [1, most])
      #expect(try await client.value("SELECT count(*) FROM engagement", as: Int.self) == most + 1)
    }
  }

  // MARK: Displayed

  private func displayed(_ client: PostgresClient) async throws -> [String] {
    try await client.query(
      "SELECT channel || ' ' || type || ' ' || sum(displayed)::text FROM stats WHERE displayed <> 0 GROUP BY channel, type"
    ).map { try $0.get(0, as: String.self) }
  }

  @Test func `what a device displayed counts once with the pushes, though it is in no inbox`() async throws {
    try await TestDatabase.with { client in
      let notification = Sample.notification(Sample.user(), inApp: .skip(.preferenceOff), push: .deliver)
      let (user, id) = (notification.userID, notification.id)
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let engagement = EngagementStore(client: client)
      let (phone, browser) = (DeviceID(UUID()), DeviceID(UUID()))
      for device in [phone, phone, browser] {
        try await engagement.displayed(id, by: user, on: device, at: .now)
      }
      let type = try Sample.content().type
      #expect(try await displayed(client) == ["2 \(type) 2"])
      let actions = try await client.query("SELECT action FROM engagement").map { try $0.get(0, as: String.self) }
      #expect(Set(actions) == ["(displayed:\(phone))", "(displayed:\(browser))"])
    }
  }

  @Test func `of a notification that is gone, or another's, nothing is noted`() async throws {
    try await TestDatabase.with { client in
      let notification = Sample.notification(Sample.user())
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let engagement = EngagementStore(client: client)
      try await engagement.displayed(notification.id, by: Sample.user(), on: DeviceID(UUID()), at: .now)
      let other = NotificationID(request: RequestID(now: .now), recipient: notification.userID)
      try await engagement.displayed(other, by: notification.userID, on: DeviceID(UUID()), at: .now)
      #expect(try await displayed(client) == [])
      #expect(try await client.value("SELECT count(*) FROM engagement", as: Int.self) == 0)
    }
  }

  @Test func `devices that display take no button's place`() async throws {
    try await TestDatabase.with { client in
      let notification = Sample.notification(Sample.user())
      let (user, id) = (notification.userID, notification.id)
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let engagement = EngagementStore(client: client)
      for _ in 0..<EngagementStore.maximumActions {
        try await engagement.displayed(id, by: user, on: DeviceID(UUID()), at: .now)
      }
      _ = try await engagement.note("button", of: id, type: 10, by: user, at: .now)
      #expect(try await counted(client) == [0, 1])
    }
  }
}
