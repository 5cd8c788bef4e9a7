import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

/// What waits is looked at again when its user's settings change.
struct RetimingTests {
  private let user = Sample.user()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private var later: Date { now + 3_600 }

  /// A table as far as the statement knows it.
  private static let table: SQLQuery = """
    CREATE TABLE IF NOT EXISTS held (user_id uuid NOT NULL, notification_id uuid NOT NULL, channel int2 NOT NULL,
      due_at timestamptz NOT NULL, reason int2 NOT NULL, type int2 NOT NULL DEFAULT 10, digest_key text,
      collapse_key text, composed_in uuid, claimed_until timestamptz, PRIMARY KEY (user_id, notification_id, channel))
    """

  private func hold(_ reason: HoldReason, of user: UserID, composed: UUID? = nil, _ client: PostgresClient) async throws
  {
    _ = try await client.query(
      """
      INSERT INTO held (user_id, notification_id, channel, due_at, reason, type, composed_in)
      VALUES (\(user), \(UUID()), 2, \(later), \(reason.rawValue), 10, \(composed))
      """
    )
  }

  /// The reasons of those that are due now.
  private func due(_ client: PostgresClient) async throws -> [Int] {
    try await client.column("SELECT reason FROM held WHERE due_at <= \(now) ORDER BY reason", as: Int.self)
  }

  private func withHeld(
    _ body: (PostgresClient, SettingsStore, UserStore) async throws -> Void
  ) async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(Self.table)
      for reason in HoldReason.allCases { try await hold(reason, of: user, client) }
      try await hold(.quietHours, of: Sample.user(), client)
      try await hold(.quietHours, of: user, composed: UUID(), client)
      try await body(
        client,
        SettingsStore(client: client, followUps: [HeldRetiming.statement]),
        UserStore(client: client, followUps: [HeldRetiming.statement])
      )
    }
  }

  private static let deciding: [@Sendable (inout UserSettings) -> Void] = [
    { $0.quietHoursEnabled = true }, { $0.quietHoursStart = LocalTime("20:00") },
    { $0.quietHoursEnd = LocalTime("20:00") }, { $0.timezone = "Asia/Tokyo" },
    { $0.pausedUntil = Date(timeIntervalSince1970: 1_900_000_000) }, { $0.isEnabled = false },
  ]

  @Test(arguments: deciding.indices)
  func `quiet hours, zone, pause and master switch make due what waits because of them`(_ index: Int) async throws {
    try await withHeld { client, store, _ in
      _ = try await store.change(of: user, in: Sample.types(), at: now, Self.deciding[index])
      #expect(try await due(client) == [1, 2])
      #expect(
        try await client.value("SELECT settings_revision FROM users WHERE user_id = \(user)", as: Int.self) == 1
      )
      // Put again, it changes nothing.
      _ = try await client.query("UPDATE held SET due_at = \(later)")
      _ = try await store.change(of: user, in: Sample.types(), at: now, Self.deciding[index])
      #expect(try await due(client).isEmpty)
    }
  }

  /// Whoever looks at it by the former settings finds that it is not as it was.
  @Test func `what is due already is due anew`() async throws {
    try await withHeld { client, store, _ in
      _ = try await client.query("UPDATE held SET due_at = \(now - 60) WHERE user_id = \(user) AND composed_in IS NULL")
      _ = try await store.change(of: user, in: Sample.types(), at: now) { $0.isEnabled = false }
      let moved = try await client.column("SELECT reason FROM held WHERE due_at = \(now) ORDER BY 1", as: Int.self)
      #expect(moved == [1, 2])
    }
  }

  @Test func `other settings leave it waiting`() async throws {
    try await withHeld { client, store, _ in
      _ = try await store.change(of: user, in: Sample.types(), at: now) {
        ($0.isSoundEnabled, $0.isBadgeEnabled, $0.numbers) = (false, false, ["limit": 5])
        $0.rows.types[10] = ChannelChoices(push: false)
      }
      #expect(try await due(client).isEmpty)
      #expect(
        try await client.value("SELECT settings_revision FROM users WHERE user_id = \(user)", as: Int.self) == 0
      )
    }
  }

  @Test func `a profile with another zone makes it due, and one with the same does not`() async throws {
    try await withHeld { client, _, users in
      _ = try await users.put(.sample(), of: user, at: now)
      #expect(try await due(client) == [1, 2])
      _ = try await client.query("UPDATE held SET due_at = \(later)")
      _ = try await users.put(.sample(email: "new@example.org"), of: user, at: now)
      #expect(try await due(client).isEmpty)
      _ = try await users.put(.sample(isEnabled: false), of: user, at: now)
      #expect(try await due(client) == [1, 2])
      #expect(
        try await client.value("SELECT settings_revision FROM users WHERE user_id = \(user)", as: Int.self) == 2
      )
    }
  }

  @Test func `what is due is found by the user's key`() async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(Self.table)
      _ = try await client.query(
        """
        INSERT INTO held (user_id, notification_id, channel, due_at, reason, type)
        SELECT md5((n % 4999)::text)::uuid, gen_random_uuid(), 2, \(later), 1, 10 FROM generate_series(1, 100000) AS n
        """
      )
      _ = try await client.query("ANALYZE held")
      for isGeneric in [true, false] {
        let plan = try await QueryPlan.of(
          HeldRetiming.statement(of: user, at: now),
          types: ["uuid", "int2", "int2", "timestamptz"],
          arguments: ["'\(user)'", "1", "2", "now()"],
          isGeneric: isGeneric,
          client
        )
        #expect(!plan.reads(of: "held").isEmpty)
        #expect(plan.reads(of: "held").allSatisfy { $0.usesPrimaryKey }, "\(plan)")
      }
    }
  }
}
