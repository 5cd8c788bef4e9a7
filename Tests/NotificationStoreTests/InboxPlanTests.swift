import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of what users do in an inbox of 5,000 among a million notifications.
struct InboxPlanTests {
  /// Operations, and whether they can be meant for all of the inbox.
  private let operations: [(operation: InboxOperation, hasAll: Bool)] = [
    (.read, true), (.unread, false), (.seen, true), (.opened, false), (.delete, true), (.archive, false),
    (.unarchive, false), (.snooze(until: .now), false), (.wake, false), (.wakeWhenDue, false),
  ]

  /// The parameters of ``InboxStatement``.
  private let types = ["uuid", "uuid[]", "timestamptz", "timestamptz"]

  /// Each of a million was changed.
  private static let changed = DatabaseContents("inbox_changes", on: MillionRows.contents) { client in
    try await client.fill(
      "inbox_changes",
      """
      INSERT INTO inbox_changes (user_id, change, after_seq, notification_id)
      SELECT user_id, row_number() OVER (PARTITION BY user_id ORDER BY id), seq, id FROM notifications
      """
    )
  }

  @Test(arguments: [true, false])
  func `operations probe the primary keys, of all only the user's own rows`(isGeneric: Bool) async throws {
    try await TestDatabase.with(MillionRows.contents) { client in
      let heavy = "'\(MillionRows.heavy)'"
      let one = try await client.value(
        "SELECT id FROM notifications WHERE user_id = \(MillionRows.heavy) AND read_at IS NULL LIMIT 1",
        as: NotificationID.self
      )
      for (operation, hasAll) in operations {
        for ids in [[one], nil] where hasAll || ids != nil {
          let what = "\(operation), \(ids == nil ? "all" : "one")"
          let plan = try await QueryPlan.of(
            InboxStore.apply(operation, to: ids, of: MillionRows.heavy, at: .now),
            planned: .alongIndexes,
            types: types,
            arguments: [heavy, ids == nil ? "NULL" : "ARRAY['\(one)'::uuid]", "now()", "now()"],
            isGeneric: isGeneric,
            isRun: ids != nil,
            client
          )
          let tables = ["notifications", "inbox"] + (operation.sql.snoozes == .removed ? ["snoozes"] : [])
          for table in tables { #expect(!plan.reads(of: table).isEmpty, "\(what)") }
          for table in ["notifications", "inbox", "snoozes"] {
            #expect(!plan.reads(of: table).contains { $0.type == "Seq Scan" }, "\(what): \(plan)")
          }
          // Found, and changed.
          let rows = plan.reads(of: "notifications").reduce(0) { $0 + $1.rowsRead }
          #expect(rows <= 2, "\(what): \(plan)")
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func `what became of notifications is found among the user's own changes, and each by its key`(
    isGeneric: Bool
  ) async throws {
    try await TestDatabase.with(Self.changed) { client in
      let heavy = "'\(MillionRows.heavy)'"
      for (since, change) in [("5000", "4990"), ("0", "4990")] {
        let plan = try await QueryPlan.of(
          InboxStore.changes(of: MillionRows.heavy, after: 0, change: nil),
          planned: .alongIndexes,
          types: ["int8", "int8", "int8", "uuid", "uuid", "int8", "int8", "int8", "uuid"],
          arguments: [since, since, change, heavy, heavy, change, change, since, heavy],
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        for table in ["notifications", "inbox"] {
          #expect(!plan.reads(of: table).isEmpty)
          #expect(!plan.reads(of: table).contains { $0.type == "Seq Scan" }, "\(plan)")
        }
        #expect(plan.reads(of: "notifications").allSatisfy { $0.usesPrimaryKey }, "\(plan)")
        #expect(plan.reads(of: "notifications").reduce(0) { $0 + $1.rowsRead } == 10, "\(plan)")
        // No more than a user has, of whom maintenance and operations leave five hundred.
        #expect(plan.reads(of: "inbox_changes").reduce(0) { $0 + $1.rowsRead } <= 5_000, "\(plan)")
      }
    }
  }

  /// The week is thought empty, as it was when the statistics were made, and has 5,000 of the user's and 95,000 of others.
  @Test(arguments: [true, false])
  func `operations probe a week that is thought empty`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      _ = try await client.query("ANALYZE notifications")
      _ = try await client.query(
        """
        INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at, expires_at)
        SELECT CASE WHEN n % 20 = 0 THEN \(MillionRows.heavy) ELSE md5((n % 4999)::text)::uuid END,
          (left(belfry_uuid_at(now())::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, \(MillionRows.heavy), 10,
          'Title', 'Body', 0, 0, 2, n, now(), now() + interval '30 days'
        FROM generate_series(1, 100000) AS n
        """
      )
      let ids = try await client.column(
        "SELECT id FROM notifications WHERE user_id = \(MillionRows.heavy) ORDER BY id LIMIT 3",
        as: NotificationID.self
      )
      let list = ids.map(\.description).joined(separator: ",")
      let plan = try await QueryPlan.of(
        InboxStore.apply(.read, to: ids, of: MillionRows.heavy, at: .now),
        planned: .alongIndexes,
        types: types,
        arguments: ["'\(MillionRows.heavy)'", "'{\(list)}'", "now()", "now()"],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      // Found, and changed.
      #expect(plan.reads(of: "notifications").reduce(0) { $0 + $1.rowsRead } == 6, "\(plan)")
    }
  }

  @Test(arguments: [true, false])
  func `what matches a filter is counted among the user's latest`(isGeneric: Bool) async throws {
    try await TestDatabase.with(MillionRows.contents) { client in
      let plan = try await QueryPlan.of(
        InboxStore.count(of: MillionRows.heavy, .init(place: .archive), among: 0),
        types: ["uuid", "int8", "int2", "int2[]", "int2[]", "bool"],
        arguments: ["'\(MillionRows.heavy)'", "100", "\(InboxState.archived.rawValue)", "NULL", "NULL", "false"],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      #expect(plan.reads(of: "notifications").allSatisfy { $0.usesPrimaryKey }, "\(plan)")
      #expect(plan.reads(of: "notifications").reduce(0) { $0 + $1.rowsRead } == 100, "\(plan)")
      var inbox = InboxStore(client: client)
      inbox.counted = 100
      let latest = try await client.value(
        """
        SELECT count(*) FILTER (WHERE type = 7) FROM (
          SELECT type FROM notifications WHERE user_id = \(MillionRows.heavy) ORDER BY id DESC LIMIT 100) n
        """,
        as: Int.self
      )
      let first = try await inbox.page(of: MillionRows.heavy, filter: .init(types: [7]), offset: 0, limit: 1)
      #expect(first.matching == latest)
      // No less than is shown, with the one that shows that there are more.
      let later = try await inbox.page(of: MillionRows.heavy, filter: .init(types: [7]), offset: 20, limit: 10)
      #expect(later.items.count == 10 && later.hasMore)
      #expect(later.matching == 31)
    }
  }

  @Test(arguments: [true, false])
  func `what is due is read in order, as far as it is asked for`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(
        """
        INSERT INTO snoozes (user_id, notification_id, until)
        SELECT gen_random_uuid(), gen_random_uuid(), now() + (n - 500) * interval '1 minute'
        FROM generate_series(1, 100000) AS n
        """
      )
      _ = try await client.query("ANALYZE snoozes")
      let plan = try await QueryPlan.of(
        SnoozeStore.due(at: .now, limit: 100),
        planned: .inIndexOrder,
        types: ["timestamptz", "int8"],
        arguments: ["now()", "100"],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      #expect(plan.reads(of: "snoozes").map(\.index) == ["snoozes_until"], "\(plan)")
      #expect(plan.reads(of: "snoozes").map(\.rowsRead) == [100], "\(plan)")
    }
  }
}
