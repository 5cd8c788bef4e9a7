import Foundation
import LocalStack
import NotificationModel
import Postgres

/// One send to a large group, through everything.
struct GroupSuite {
  let bench: Bench

  func measure() async throws {
    let population = try await bench.population()
    let count = population.count
    let limit = try await bench.simulatorLimit()
    try await bench.simulator.reset()
    let outcomes = try await rows("deliveries")
    let request = try await GroupSend(bench, group: population.group)
    let before = ProcessSample.take()
    let started = WallTime.now
    try await request.send()
    try await Patience.wait(for: "\(count) pushes", within: .seconds(300)) {
      try await bench.simulator.pushes().arrived >= count
    }
    let wall = WallTime.seconds(from: started, to: WallTime.now)
    let after = ProcessSample.take()
    try await Patience.wait(for: "\(count) outcomes", within: .seconds(60), every: .milliseconds(200)) {
      try await rows("deliveries") >= outcomes + count
    }
    let recorded = WallTime.seconds(from: started, to: WallTime.now)
    bench.add(
      Measurement(
        .group,
        "one send to \(count), stored and pushed",
        wall,
        "s",
        limit: ("libcurl loop, same simulator", Double(count) / limit.perSecond),
        budget: .atMost(10 * Double(count) / 100_000)
      )
    )
    bench.add(Measurement(.group, "the same, until every outcome is recorded", recorded, "s"))
    let usage = UsageReport(
      .group,
      "one send to \(count)",
      notifications: count,
      wallSeconds: wall,
      from: before,
      to: after
    )
    bench.add(usage)
    if let largest = usage.entries.filter({ isService($0.process) }).max(by: {
      $0.residentMegabytes < $1.residentMegabytes
    }) {
      bench.add(
        Measurement(
          .group,
          "largest service afterwards (\(largest.process))",
          largest.residentMegabytes,
          "MB",
          budget: .atMost(100)
        )
      )
    }
    try await bench.addDuplicates(.group, "one send to \(count)")
    try await bench.simulator.reset()
  }

  private func isService(_ process: String) -> Bool {
    process.hasPrefix("belfry-") && process != "belfry-simulator" && process != "belfry-bench"
  }

  private func rows(_ table: String) async throws -> Int {
    let rows = try await bench.database.query("SELECT count(*) FROM \(unescaped: table)")
    guard let row = rows.first else { return 0 }
    return try row.get(0)
  }
}
