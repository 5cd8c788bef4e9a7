import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

/// The counts of some days, by type, channel or day.
struct StatReportTests {
  private static let first = LocalDate(dayNumber: 20_000)
  private static let second = LocalDate(dayNumber: 20_001)

  private static func tally(
    _ day: LocalDate,
    _ type: Int,
    _ channel: Channel?,
    _ change: (inout StatStore.Counts) -> Void
  ) -> StatStore.Tally {
    var counts = StatStore.Counts()
    change(&counts)
    let noon = Date(timeIntervalSince1970: Double(day.dayNumber) * 86_400 + 43_200)
    return StatStore.Tally(at: noon, type: type, channel: channel, counts: counts)
  }

  private static func fill(_ client: PostgresClient) async throws {
    _ = try await client.query(
      StatStore.tally([
        tally(first, 10, nil) { ($0.sent, $0.delivered, $0.opened, $0.acted) = (10, 8, 4, 2) },
        tally(first, 10, .push) { ($0.sent, $0.delivered, $0.failed, $0.opened) = (6, 5, 1, 3) },
        tally(first, 10, .inApp) { $0.unsubscribed = 1 },
        tally(second, 11, nil) { ($0.sent, $0.delivered) = (2, 2) },
        tally(second, 11, .email) { ($0.sent, $0.failed, $0.unsubscribed) = (2, 2, 1) },
        tally(second, 0, nil) { $0.unsubscribed = 3 },
        tally(second, 0, .push) { ($0.asked, $0.granted, $0.denied) = (4, 3, 1) },
        // Before and after what is asked for.
        tally(LocalDate(dayNumber: 19_999), 10, nil) { $0.sent = 100 },
        tally(LocalDate(dayNumber: 20_002), 10, nil) { $0.sent = 100 },
      ])
    )
  }

  private func words(_ row: StatStore.Row) -> String {
    let counts = row.counts
    let stored = row.notifications.map { "\($0) \(row.inbox ?? -1)" } ?? "-"
    return
      "\(row.key): \(stored) \(counts.sent) \(counts.delivered) \(counts.failed) \(counts.opened) \(counts.acted) \(counts.unsubscribed)"
  }

  @Test func `of a type and a day notifications are counted, and where they went; of a channel what went there`()
    async throws
  {
    try await TestDatabase.with { client in
      try await Self.fill(client)
      let stats = StatStore(client: client)
      let expected: [(StatStore.Grouping, [String])] = [
        (.type, ["10: 10 8 14 13 1 4 2 1", "11: 2 2 4 2 2 0 0 1"]),
        (.day, ["20000: 10 8 14 13 1 4 2 1", "20001: 2 2 4 2 2 0 0 4"]),
        (.channel, ["1: - 10 10 0 4 2 1", "2: - 6 5 1 3 0 0", "3: - 2 0 2 0 0 1"]),
      ]
      for (grouping, rows) in expected {
        let report = try await stats.report(Self.first...Self.second, by: grouping)
        #expect(report.rows.map(words) == rows, "\(grouping)")
        #expect(report.notifications == 12)
        var total = StatStore.Counts()
        (total.sent, total.delivered, total.failed, total.opened, total.acted) = (18, 15, 3, 4, 2)
        (total.unsubscribed, total.asked, total.granted, total.denied) = (5, 4, 3, 1)
        #expect(report.total == total)
      }
      let push = try #require(try await stats.report(Self.first...Self.second, by: .channel).rows.first { $0.key == 2 })
      let counts = push.counts
      #expect(counts.asked == 4 && counts.granted == 3 && counts.denied == 1)
    }
  }

  @Test func `days without counts have no rows`() async throws {
    try await TestDatabase.with { client in
      try await Self.fill(client)
      let empty = LocalDate(dayNumber: 19_000)
      for grouping in StatStore.Grouping.allCases {
        #expect(try await StatStore(client: client).report(empty...empty, by: grouping) == .init())
      }
    }
  }

  @Test func `maintenance makes one row of each count of days that are over, forgets old ones, and changes no sum`()
    async throws
  {
    try await TestDatabase.with { client in
      _ = try await client.query(
        """
        INSERT INTO stats (day, type, channel, slot, sent, opened)
        SELECT (now() AT TIME ZONE 'UTC')::date - age, 10, channel, slot, slot, 1
        FROM unnest('{0,1,4,40,810}'::int[]) AS age, unnest('{0,2}'::int[]) AS channel, unnest('{5,70000,0}'::int[]) AS slot
        """
      )
      for _ in 0..<2 {
        _ = try #require(
          try await MaintenanceStore(client: client).run(
            retention: .seconds(30 * 86_400),
            keyLifetime: .seconds(86_400),
            staleDevice: .seconds(90 * 86_400)
          )
        )
        let rows = try await client.column(
          """
          SELECT concat_ws(' ', (SELECT max(day) FROM stats) - day, channel, count(*), sum(sent), sum(opened))
          FROM stats GROUP BY day, channel ORDER BY day DESC, channel
          """,
          as: String.self
        )
        #expect(
          rows == [
            "0 0 3 70005 3", "0 2 3 70005 3", "1 0 3 70005 3", "1 2 3 70005 3", "4 0 1 70005 3", "4 2 1 70005 3",
            "40 0 1 70005 3", "40 2 1 70005 3",
          ]
        )
      }
    }
  }
}
