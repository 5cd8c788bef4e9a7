import Foundation
import LocalStack

/// One send to a large group, through everything.
struct GroupSuite {
  let bench: Bench

  func measure() async throws {
    let population = try await bench.population()
    let count = population.count
    let limit = try await bench.simulatorLimit()
    try await bench.simulator.reset()
    let request = try await GroupSend(bench, group: population.group)
    let before = ProcessSample.take()
    let run = try await GroupRun.measure(bench, count) {
      let started = WallTime.now
      try await request.send()
      return started
    }
    bench.add(
      Measurement(
        .group,
        "one send to \(count), stored and pushed",
        run.seconds,
        "s",
        limit: ("libcurl loop, same simulator", Double(count) / limit.perSecond),
        budget: .atMost(10 * Double(count) / 100_000)
      )
    )
    bench.add(Measurement(.group, "the same, until every outcome is recorded", run.recordedSeconds, "s"))
    let usage = UsageReport(
      .group,
      "one send to \(count)",
      notifications: count,
      wallSeconds: run.seconds,
      from: before,
      to: run.after
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
}
