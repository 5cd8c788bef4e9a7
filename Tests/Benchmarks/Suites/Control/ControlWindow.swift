import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import Postgres

/// Push dispatchers that have just been started, under load and with faults, looked at for a while.
struct ControlWindow {
  typealias Carrier = DevicePlatform.Carrier

  /// What providers did meanwhile.
  struct Rates: Sendable {
    /// Pushes accepted a second.
    var accepted: [Carrier: Double] = [:]
    /// The same of APNs' environments.
    var environments: [String: Double] = [:]
    /// Answers a second, by what they were.
    var answers: [Carrier: [String: Double]] = [:]
    /// Answers since the start, by what they were.
    var attempts: [Carrier: [String: Int]] = [:]
  }

  let bench: Bench
  let load: [(feed: PushFeed, pace: PushFeed.Pace)]
  var faults: [SimulatorControl.Fault] = []
  /// Of the dispatcher, over those of the stack.
  var variables: [String: String] = [:]

  /// Until connections and caches are warm, and the first answers are late.
  private static let leadIn = Duration.seconds(3)

  /// How long a window is.
  static func length(_ options: BenchOptions) -> Duration { .seconds(2 * options.seconds) }

  /// Starts the dispatchers anew: breakers, budgets and permits are as at first.
  func measure() async throws -> Rates {
    try await Self.clear(bench)
    for fault in faults { try await bench.simulator.add(fault) }
    let push =
      variables.isEmpty
      ? bench.stack.services(.push)
      : [bench.stack.extra(.push, name: "push-control", port: try FreePort.find(), variables: variables)]
    do {
      for process in push { try process.launch() }
      for process in push { try await process.waitUntilReady() }
      let rates = try await look()
      for process in push { await process.kill() }
      return rates
    } catch {
      for process in push { await process.kill() }
      throw error
    }
  }

  private func look() async throws -> Rates {
    try await Self.under(load) {
      try await Task.sleep(for: Self.leadIn)
      let (started, before) = (WallTime.now, try await summaries())
      try await Task.sleep(for: Self.length(bench.options))
      let (ended, after) = (WallTime.now, try await summaries())
      for (feed, pace) in load where pace == .full {
        guard try await bench.admin.depth(of: feed.queue.name) > 0 else {
          throw BenchError("\(feed.queue.name) ran empty: the load was no full one")
        }
      }
      return Self.rates(from: before, to: after, in: WallTime.seconds(from: started, to: ended))
    }
  }

  /// Kills the push dispatchers, and forgets what they have done and were to do.
  static func clear(_ bench: Bench) async throws {
    for process in bench.stack.services(.push) { await process.kill() }
    let admin = try bench.admin
    for queue in Carrier.allCases.map({ WorkQueue($0) }) {
      // Then what they had in hand is in the queue again.
      try await Patience.wait(for: "nobody at \(queue.name)", within: .seconds(30), every: .milliseconds(100)) {
        try await admin.status(of: queue.name).consumers == 0
      }
      for name in [queue.name] + RetryLadder().tiers.map({ $0.queue(of: queue) }) { try await admin.purge(name) }
    }
    _ = try await bench.database.query("TRUNCATE deliveries")
    try await bench.simulator.reset()
  }

  /// Keeps up the load for as long as the work takes.
  static func under<Value>(
    _ load: [(feed: PushFeed, pace: PushFeed.Pace)],
    _ work: () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (feed, pace) in load { group.addTask { try await feed.keep(pace) } }
      // Also when the work fails: the group waits for the others.
      defer { group.cancelAll() }
      return try await work()
    }
  }

  private func summaries() async throws -> [Carrier: SimulatorControl.Summary] {
    var summaries: [Carrier: SimulatorControl.Summary] = [:]
    for carrier in Carrier.allCases { summaries[carrier] = try await bench.simulator.pushes(over: carrier) }
    return summaries
  }

  private static func rates(
    from before: [Carrier: SimulatorControl.Summary],
    to after: [Carrier: SimulatorControl.Summary],
    in seconds: Double
  ) -> Rates {
    var rates = Rates()
    for (carrier, summary) in after {
      rates.accepted[carrier] = Double(summary.accepted - (before[carrier]?.accepted ?? 0)) / seconds
      rates.attempts[carrier] = summary.attempts
      for (name, count) in summary.attempts ?? [:] {
        rates.answers[carrier, default: [:]][name] =
          Double(count - (before[carrier]?.attempts?[name] ?? 0)) / seconds
      }
      for (name, count) in summary.environments ?? [:] {
        rates.environments[name] = Double(count - (before[carrier]?.environments?[name] ?? 0)) / seconds
      }
    }
    return rates
  }
}
