import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// Pages of every part: where one ends the next begins.
@Suite struct ExportPageTests {
  private static let catalogue = Result { try Catalogue() }

  /// Several rows of the user in every table that has several; keys of several columns agree in the first.
  private static func fill(_ user: UserID, _ client: PostgresClient) async throws {
    let (notifications, contents) = try Sample.history(5, of: user)
    _ = try await NotificationStore(client: client).store(notifications, contents: contents)
    let ids = notifications.map(\.id)
    _ = try await client.transaction([
      """
      INSERT INTO deliveries (user_id, notification_id, channel, target, outcome, attempts)
      SELECT \(user), id, channel, target, 1, 1
      FROM unnest(\(ids)) AS id, generate_series(2, 3) AS channel, unnest(ARRAY['a', 'b']) AS target
      """,
      """
      INSERT INTO held (user_id, notification_id, channel, due_at, reason, type)
      SELECT \(user), id, channel, now(), 1, 10 FROM unnest(\(ids)) AS id, generate_series(2, 3) AS channel
      """,
      """
      INSERT INTO engagement (user_id, notification_id, action)
      SELECT \(user), id, action FROM unnest(\(ids)) AS id, unnest(ARRAY['opened', 'pay', 'remind']) AS action
      """,
      """
      INSERT INTO inbox_changes (user_id, change, after_seq, notification_id)
      SELECT \(user), n, n, id FROM unnest(\(ids)) WITH ORDINALITY AS u(id, n)
      """,
      "INSERT INTO snoozes (user_id, notification_id, until) SELECT \(user), id, now() FROM unnest(\(ids)) AS id",
      """
      INSERT INTO throttle_uses (user_id, notification_id, type, key, used_at)
      SELECT \(user), id, 10, '', now() FROM unnest(\(ids)) AS id
      """,
      """
      INSERT INTO preferences (user_id, type, in_app, push, email)
      SELECT \(user), n, true, true, true FROM generate_series(1, 5) AS n
      """,
      "INSERT INTO category_preferences (user_id, category) SELECT \(user), 'c' || n FROM generate_series(1, 5) AS n",
      "INSERT INTO unsubscriptions SELECT \(user), 'c' || n, now(), '{}' FROM generate_series(1, 5) AS n",
      """
      INSERT INTO suppressions (address, reason, since, source, last_at, user_id)
      SELECT 'a' || n || '@' || \(user.description), reason, now(), 'smtp', now(), \(user)
      FROM generate_series(1, 3) AS n, generate_series(1, 3) AS reason
      """,
      """
      INSERT INTO soft_bounces (address, occurrence, at, code, user_id)
      SELECT 'a' || n || '@' || \(user.description), 'o' || o, now(), '5.2.2', \(user)
      FROM generate_series(1, 3) AS n, generate_series(1, 3) AS o
      """,
      """
      INSERT INTO mutes (user_id, entity_type, entity_id)
      SELECT \(user), 't' || t, 'e' || e FROM generate_series(1, 2) AS t, generate_series(1, 3) AS e
      """,
      "INSERT INTO group_members (group_id, user_id) SELECT 'g' || n, \(user) FROM generate_series(1, 5) AS n",
      """
      INSERT INTO rule_states (user_id, rule, key, state)
      SELECT \(user), 'r' || r, k, '{}' FROM generate_series(1, 2) AS r, unnest(ARRAY['', 'B', 'a']) AS k
      """,
      """
      INSERT INTO presence (user_id, connection_id, entity_type, entity_id, node)
      SELECT \(user), 'c' || n, 'Account', '7', 'n-1' FROM generate_series(1, 5) AS n
      """,
      """
      INSERT INTO devices (user_id, id, token, platform)
      SELECT \(user), gen_random_uuid(), 'token ' || n || \(user.description), 2 FROM generate_series(1, 5) AS n
      """,
      "INSERT INTO topic_subscriptions (user_id, topic) SELECT \(user), 't' || n FROM generate_series(1, 5) AS n",
      """
      INSERT INTO audit (actor, action, subject)
      SELECT 'ops', 'a' || n, \(user.description) FROM generate_series(1, 5) AS n
      """,
    ])
    for number in 1...5 { try await EveryTable.schedule(key: "\(number) of \(user)", users: [user], client) }
  }

  private static func read(
    _ part: ExportPart,
    of user: UserID,
    _ limit: Int,
    _ client: PostgresClient
  ) async throws -> [String] {
    var values: [String] = []
    var last: PostgresRow?
    let catalogue = try Self.catalogue.get()
    repeat {
      let rows = try await client.query(try part.page(user, last, limit))
      #expect(rows.count <= limit)
      for row in rows { values.append(JSONWriter.text(try #require(try part.value(of: row, catalogue)))) }
      last = rows.last
    } while last != nil
    return values
  }

  @Test func `read in small pages, every part has each row once, and none of others`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      for user in [ann, ben] { try await Self.fill(user, client) }
      for part in ExportStore.parts where !part.isSingle && part.table != "erased_users" {
        let whole = try await client.query(try part.page(ann, nil, 500))
        let catalogue = try Self.catalogue.get()
        let values = try whole.map { JSONWriter.text(try #require(try part.value(of: $0, catalogue))) }
        let column = part.table == "audit" ? "subject" : "user_id::text"
        let count: Int = try await client.value(
          "SELECT count(*) FROM \(unescaped: part.table) WHERE \(unescaped: column) = \(ann.description)"
        )
        #expect(count >= 5 && values.count == count, "\(part.name)")
        for limit in 1...3 {
          #expect(try await Self.read(part, of: ann, limit, client) == values, "\(part.name) by \(limit)")
        }
      }
    }
  }
}
