import Broker
import Foundation
import LocalStack
import NotificationQueue
import Postgres

/// An email dispatcher that has just been started, under a full load and with faults, looked at for a while.
struct MailWindow {
  let bench: Bench
  let feed: DispatchFeed
  var faults: [SimulatorControl.Fault] = []

  /// Until connections are warm, and what is slow is known to be.
  private static let leadIn = Duration.seconds(3)

  /// - Returns: Mails accepted a second.
  func measure() async throws -> Double {
    try await clear()
    for fault in faults { try await bench.simulator.add(fault) }
    let dispatchers = bench.stack.services(.email)
    do {
      for process in dispatchers { try process.launch() }
      for process in dispatchers { try await process.waitUntilReady() }
      let rate = try await look()
      for process in dispatchers { await process.kill() }
      return rate
    } catch {
      for process in dispatchers { await process.kill() }
      throw error
    }
  }

  private func look() async throws -> Double {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await feed.keep(.full) }
      // Also when the work fails: the group waits for the feed.
      defer { group.cancelAll() }
      try await Task.sleep(for: Self.leadIn)
      let (started, before) = (WallTime.now, try await bench.simulator.mails().accepted)
      try await Task.sleep(for: .seconds(2 * bench.options.seconds))
      let (ended, after) = (WallTime.now, try await bench.simulator.mails().accepted)
      guard try await bench.admin.depth(of: feed.queue.name) > 0 else {
        throw BenchError("\(feed.queue.name) ran empty: the load was no full one")
      }
      return Double(after - before) / WallTime.seconds(from: started, to: ended)
    }
  }

  /// Kills the email dispatchers, and forgets what they have done and were to do.
  func clear() async throws {
    for process in bench.stack.services(.email) { await process.kill() }
    let admin = try bench.admin
    // Then what they had in hand is in the queue again.
    try await Patience.wait(for: "nobody at \(feed.queue.name)", within: .seconds(30), every: .milliseconds(100)) {
      try await admin.status(of: feed.queue.name).consumers == 0
    }
    for name in [feed.queue.name] + RetryLadder().tiers.map({ $0.queue(of: feed.queue) }) {
      try await admin.purge(name)
    }
    _ = try await bench.database.query("TRUNCATE deliveries")
    try await bench.simulator.reset()
  }
}
