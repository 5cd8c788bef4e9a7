import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

struct StatTests {
  private static let noon = Date(timeIntervalSince1970: 20_000 * 86_400 + 43_200)

  private static func tally(
    _ time: Date = noon,
    type: Int = 10,
    channel: Channel? = nil,
    _ change: (inout StatStore.Counts) -> Void
  ) -> StatStore.Tally {
    var counts = StatStore.Counts()
    change(&counts)
    return StatStore.Tally(at: time, type: type, channel: channel, counts: counts)
  }

  /// The sums over all slots.
  private static func sums(_ client: PostgresClient) async throws -> [String] {
    try await client.column(
      """
      SELECT concat_ws(' ', day - date '1970-01-01', type, channel, sum(sent), sum(delivered), sum(failed), sum(opened),
        sum(acted), sum(unsubscribed), sum(asked), sum(granted), sum(denied))
      FROM stats GROUP BY day, type, channel ORDER BY day, type, channel
      """,
      as: String.self
    )
  }

  @Test func `tallies are added up by day, type and channel`() async throws {
    try await TestDatabase.with { client in
      let tallies = [
        Self.tally { $0.sent = 2 }, Self.tally { $0.opened = 1 },
        Self.tally(channel: .push) { ($0.sent, $0.failed) = (1, 1) },
        // The last millisecond of its day, and the first of the next.
        Self.tally(Self.noon + 43_199.999, type: 11) { ($0.acted, $0.unsubscribed) = (1, 2) },
        Self.tally(Self.noon + 43_200, type: 11) { ($0.asked, $0.granted, $0.denied) = (6, 3, 2) },
      ]
      _ = try await client.query(StatStore.tally(tallies))
      // What was given up came through after all.
      _ = try await client.query(StatStore.tally([Self.tally(channel: .push) { ($0.delivered, $0.failed) = (1, -1) }]))
      #expect(
        try await Self.sums(client) == [
          "20000 10 0 2 0 0 1 0 0 0 0 0", "20000 10 2 1 1 0 0 0 0 0 0 0", "20000 11 0 0 0 0 0 1 2 0 0 0",
          "20001 11 0 0 0 0 0 0 0 6 3 2",
        ]
      )
    }
  }

  @Test func `nothing to add is no failure, and what is undone is not counted`() async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(StatStore.tally([]))
      await #expect(throws: PostgresError.self) {
        _ = try await client.transaction([StatStore.tally([Self.tally { $0.sent = 1 }]), "SELECT 1 / 0"])
      }
      #expect(try await Self.sums(client).isEmpty)
    }
  }

  @Test func `those who count at the same time neither lose anything nor wait for each other for ever`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let kinds = (1...20).map { type in Self.tally(type: type, channel: .email) { $0.sent = 1 } }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<60 {
          let shuffled = kinds.shuffled()
          group.addTask { _ = try await client.transaction(["SELECT 1", StatStore.tally(shuffled)]) }
        }
        try await group.waitForAll()
      }
      #expect(try await Self.sums(client) == (1...20).map { "20000 \($0) 3 60 0 0 0 0 0 0 0 0" })
      // Each connection has its own rows.
      #expect(
        try await client.value(
          "SELECT count(DISTINCT slot >> 7) BETWEEN 1 AND 6 AND min(slot) > 0 FROM stats",
          as: Bool.self
        )
      )
    }
  }
}
