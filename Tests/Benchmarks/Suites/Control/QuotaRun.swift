import Foundation
import LocalStack

/// Three push dispatchers that share a quota of FCM's, and what the others do when one is killed.
struct QuotaRun {
  let bench: Bench
  let feed: PushFeed

  private static let processes = 3
  private static let perMinute = 60_000
  private static let perSecond = Double(perMinute) / 60
  /// A start takes a minute (``TokenBucket`` of the dispatcher), and each learns of the others within ten seconds.
  private static let start = Duration.seconds(75)
  /// Over which it is looked at whether the quota is used again.
  private static let glance = 2.0
  private static let patience = 60.0

  func measure() async throws {
    try await ControlWindow.clear(bench)
    let dispatchers = try (1...Self.processes).map { number in
      bench.stack.extra(
        .push,
        name: "push-quota-\(number)",
        port: try FreePort.find(),
        variables: [
          "BELFRY_PUSH_PROVIDERS": "fcm", "BELFRY_PUSH_FCM_QUOTA_PER_MINUTE": "\(Self.perMinute)",
        ]
      )
    }
    do {
      for process in dispatchers { try process.launch() }
      for process in dispatchers { try await process.waitUntilReady() }
      try await ControlWindow.under([(feed, .full)]) { try await measure(dispatchers) }
    } catch {
      for process in dispatchers { await process.kill() }
      throw error
    }
    for process in dispatchers { await process.kill() }
  }

  private func measure(_ dispatchers: [StackProcess]) async throws {
    try await Task.sleep(for: Self.start)
    let (started, before) = try await look()
    try await Task.sleep(for: ControlWindow.length(bench.options))
    let (ended, after) = try await look()
    let share = Double(after - before) / WallTime.seconds(from: started, to: ended) / Self.perSecond
    guard share > 0.8 else {
      throw BenchError("three dispatchers use \((share * 100).text(0)) % of their quota: nothing can be said of it")
    }
    bench.add(
      Measurement(.control, "quota of FCM, used by three dispatchers", share * 100, "%", budget: .atMost(102))
    )
    let killed = WallTime.now
    await dispatchers[0].kill()
    let took = try await untilUsed(since: killed, share: min(share, 1))
    bench.add(
      Measurement(.control, "one of them is killed: until the others use its part", took, "s", budget: .atMost(15))
    )
  }

  /// Seconds until as much is accepted as before, less what two seconds differ by.
  private func untilUsed(since killed: Int64, share: Double) async throws -> Double {
    var looks: [(time: Int64, accepted: Int)] = []
    while true {
      let now = try await look()
      looks.append(now)
      if let first = looks.last(where: { WallTime.seconds(from: $0.time, to: now.time) >= Self.glance }) {
        let rate = Double(now.accepted - first.accepted) / WallTime.seconds(from: first.time, to: now.time)
        if rate >= 0.95 * share * Self.perSecond { return WallTime.seconds(from: killed, to: first.time) }
      }
      guard WallTime.seconds(from: killed, to: now.time) < Self.patience else {
        throw BenchError("the quota of a dispatcher that was killed is not used after \(Self.patience.text(0)) s")
      }
      try await Task.sleep(for: .milliseconds(250))
    }
  }

  private func look() async throws -> (time: Int64, accepted: Int) {
    let accepted = try await bench.simulator.pushes().accepted
    return (WallTime.now, accepted)
  }
}
