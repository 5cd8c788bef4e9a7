import Foundation
import LocalStack
import NotificationModel
import NotificationStore
import Postgres

/// Reading the notification centre at the gateway: a user of 5,000 notifications among a table of many.
struct ListSuite {
  let bench: Bench

  private static let own = 5_000
  private static let rate = 200
  private static let connections = 8

  func measure() async throws {
    let user = UserID(UUID())
    try await fill(user)
    let port = bench.stack.services(.gateway)[0].port
    let token = try await bench.token(of: user)
    func load(_ path: String) -> LoadGenerator {
      LoadGenerator(
        port: port,
        connections: Self.connections,
        requests: [LoadRequest.get(path, port: port, token: token)],
        status: 200
      )
    }
    let limit = try await load("/health/live").openLoop(rate: Self.rate, seconds: 3).latencies
    for (what, path, budget) in [
      ("list, first page", "/api/v1/notifications?page=1&pageSize=20", 5.0),
      ("unread count", "/api/v1/notifications/unread-count", 2.0),
    ] {
      let answers = try await load(path).openLoop(rate: Self.rate, seconds: bench.options.seconds)
      for percent in [50.0, 99.0] {
        bench.add(
          Measurement(
            .list,
            "\(what) at \(Self.rate)/s, p\(Int(percent))",
            answers.latencies.percentile(percent),
            "ms",
            limit: ("GET /health/live", limit.percentile(percent)),
            budget: percent == 99 ? .atMost(budget) : nil
          )
        )
      }
      let fastest = try await load(path).closedLoop(seconds: 3)
      bench.add(Measurement(.list, "\(what), \(Self.connections) clients", fastest.rate, "/s"))
    }
  }

  /// Fills the table up to the rows asked for: the user's own spread evenly among those of users of ten each.
  private func fill(_ user: UserID) async throws {
    let present = try await count("SELECT count(*) FROM notifications")
    let others = max(0, bench.options.rows - present - Self.own)
    let step = 100_000
    for first in stride(from: 0, to: others, by: step) {
      let last = min(first + step, others)
      try await insert(
        "md5('reader ' || i / 10)::uuid",
        from: first,
        to: last,
        of: others
      )
      Progress.say("  … \(present + last) of \(bench.options.rows) rows")
    }
    try await insert("'\(user)'::uuid", from: 0, to: Self.own, of: Self.own)
    _ = try await bench.database.transaction([
      """
      INSERT INTO inbox (user_id, unread, total, seq)
      SELECT md5('reader ' || i)::uuid, 10, 10, 10 FROM generate_series(0, \(others / 10)) i ON CONFLICT DO NOTHING
      """,
      """
      INSERT INTO inbox (user_id, unread, total, seq)
      VALUES (\(user), \(Int32(Self.own)), \(Int32(Self.own)), \(Self.own))
      """,
    ])
    for table in ["notifications", "inbox"] {
      _ = try await bench.database.query("VACUUM ANALYZE \(unescaped: table)")
    }
    // Or the server writes what was filled in while it is measured.
    _ = try await bench.database.query("CHECKPOINT")
  }

  /// Inserts numbers `first` to before `last` of `all`, whose times lie evenly in the past four weeks.
  private func insert(_ user: String, from first: Int, to last: Int, of all: Int) async throws {
    guard last > first else { return }
    _ = try await bench.database.query(
      """
      INSERT INTO notifications (user_id, id, request_id, type, title, body, data, in_app, push, email, seq, created_at,
        expires_at)
      SELECT \(unescaped: user), overlay(belfry_uuid_at(at)::text PLACING substr(gen_random_uuid()::text, 15) FROM 15)::uuid,
        gen_random_uuid(), 10, 'Allowance received', 'You received $10.00. Your balance is $42.00.',
        '{"amount":"$10.00","balance":"$42.00"}', 0, 0, 0, i, at, at + interval '30 days'
      FROM (
        SELECT i, now() - interval '28 days' * (1 - i / \(Double(all))) AS at
        FROM generate_series(\(first), \(last - 1)) i
      ) series
      """
    )
  }

  private func count(_ query: SQLQuery) async throws -> Int {
    let rows = try await bench.database.query(query)
    guard let row = rows.first else { return 0 }
    return try row.get(0)
  }
}
