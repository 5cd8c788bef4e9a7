import Foundation
import Postgres

/// The driver of PostgreSQL beside pgbench: primary-key reads by 64 callers.
struct PostgresSuite {
  let bench: Bench

  private static let callers = 64

  func measure() async throws {
    let pgbench = try await Pgbench.prepare(bench.stack)
    let seconds = max(3, bench.options.seconds / 2)
    let limit = try await pgbench.reads(clients: Self.callers, seconds: seconds)
    for connections in [1, 4] {
      let rate = try await reads(url: pgbench.url, connections: connections, seconds: seconds)
      bench.add(
        Measurement(
          .postgres,
          "primary-key reads, \(Self.callers) callers, \(connections) connection\(connections == 1 ? "" : "s")",
          rate,
          "/s",
          limit: ("pgbench -S", limit)
        )
      )
    }
    let rows = try await pgbench.insertedRows(seconds: seconds, directory: bench.directory)
    bench.add(Measurement(.postgres, "rows inserted by pgbench, 500 a statement, one client", rows, "/s"))
  }

  private func reads(url: String, connections: Int, seconds: Int) async throws -> Double {
    let client = PostgresClient(
      configuration: PostgresConfiguration(url: url, connections: connections),
      logger: .bench
    )
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await client.run() }
      try await Patience.wait(for: "a connection", within: .seconds(5)) { client.isReady }
      let started = WallTime.now
      let end = started + Int64(seconds) * 1_000_000_000
      let count = try await withThrowingTaskGroup(of: Int.self) { callers in
        for caller in 0..<Self.callers {
          callers.addTask { @concurrent in
            var done = 0
            while WallTime.now < end {
              let account = Int32((caller * 7_919 + done * 104_729) % 100_000 + 1)
              let rows = try await client.query("SELECT abalance FROM pgbench_accounts WHERE aid = \(account)")
              guard let row = rows.first, try row.get(0, as: Int.self) == 0 else {
                throw BenchError("an account is missing")
              }
              done += 1
            }
            return done
          }
        }
        return try await callers.reduce(0, +)
      }
      let rate = Double(count) / WallTime.seconds(from: started, to: WallTime.now)
      group.cancelAll()
      return rate
    }
  }
}
