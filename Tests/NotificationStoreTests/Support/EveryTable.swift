import Foundation
import NotificationModel
import NotificationStore
import Postgres
import WallClock

/// Tables that know users, and what fills them.
enum EveryTable {
  /// Every table, or parent of partitions, that has a column for a user.
  static func names(_ client: PostgresClient) async throws -> [String] {
    try await client.column(
      """
      SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.attname = 'user_id' AND NOT a.attisdropped
      ORDER BY 1
      """
    )
  }

  static func rows(of user: UserID, in table: String, _ client: PostgresClient) async throws -> Int {
    try await client.value("SELECT count(*) FROM \(unescaped: table) WHERE user_id = \(user)")
  }

  /// A row of the user in every table.
  static func fill(_ user: UserID, _ client: PostgresClient) async throws {
    let content = try Sample.content()
    let notification = Sample.notification(user)
    _ = try await NotificationStore(client: client).store([notification], contents: [content])
    try await DeliveryStore(client: client).record([record(notification)])
    let id = notification.id
    _ = try await client.transaction([
      "INSERT INTO held (user_id, notification_id, channel, due_at, reason, type) VALUES (\(user), \(id), 2, now(), 1, 10)",
      "UPDATE inbox SET change = 1 WHERE user_id = \(user)",
      "INSERT INTO inbox_changes (user_id, change, after_seq, notification_id) VALUES (\(user), 1, 1, \(id))",
      "INSERT INTO snoozes (user_id, notification_id, until) VALUES (\(user), \(id), now())",
      "INSERT INTO engagement (user_id, notification_id, action) VALUES (\(user), \(id), 'open')",
      "INSERT INTO preferences (user_id, type, in_app, push, email) VALUES (\(user), 10, true, true, true)",
      "INSERT INTO category_preferences (user_id, category) VALUES (\(user), 'money')",
      "INSERT INTO user_identifiers (user_id, identifier) VALUES (\(user), 'shop/Ann 7')",
      "INSERT INTO mutes (user_id, entity_type, entity_id) VALUES (\(user), 'Account', '7')",
      "INSERT INTO topic_subscriptions (user_id, topic) VALUES (\(user), 'news')",
      "INSERT INTO group_members (group_id, user_id) VALUES ('family:1', \(user))",
      "INSERT INTO throttle_uses (user_id, notification_id, type, key, used_at) VALUES (\(user), \(id), 10, '', now())",
      "INSERT INTO rule_states (user_id, rule, key, state) VALUES (\(user), 'low', '', '{}')",
      """
      INSERT INTO presence (user_id, connection_id, entity_type, entity_id, node)
      VALUES (\(user), \(user.description), 'Account', '7', 'n-1')
      """,
    ])
    // Each has an address of its own: a suppression is the address's.
    let address = "\(user)@example.org"
    _ = try await client.transaction([
      "INSERT INTO suppressions VALUES (\(address), 1, now(), 'smtp', '550 5.1.1', now(), \(user))",
      "INSERT INTO soft_bounces VALUES (\(address), \(id.description), now(), '5.2.1', \(user))",
    ])
    try await schedule(key: "of \(user)", users: [user], client)
    _ = try await UserStore(client: client).put(.sample(), of: user)
    _ = try await DeviceStore(client: client).register(.sample("token-\(user)"), of: user)
  }

  static func record(_ notification: NewNotification) -> DeliveryStore.Record {
    DeliveryStore.Record(
      userID: notification.userID,
      notificationID: notification.id,
      channel: .email,
      target: "ann@example.org",
      outcome: .delivered,
      attempts: 1
    )
  }

  static func schedule(key: String, users: [UserID], except: [UserID] = [], _ client: PostgresClient)
    async throws
  {
    let names = users.map { "\"\($0)\"" }.joined(separator: ",")
    let others = except.map { "\"\($0)\"" }.joined(separator: ",")
    try await schedule(
      key: key,
      definition: #"{"to":{"users":[\#(names)],"except":[\#(others)]},"type":10,"data":{"b":"2","a":"1"}}"#,
      client
    )
  }

  static func schedule(key: String, definition: String, _ client: PostgresClient) async throws {
    _ = try await ScheduleStore(client: client).put(
      key,
      of: "shop",
      definition: definition,
      startsOn: LocalDate(dayNumber: 20_454),
      limit: 100,
      now: .now
    )
  }
}
