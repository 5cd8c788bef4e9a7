import Broker
import Foundation
import LocalStack
import NotificationQueue
import Postgres

/// An email dispatcher that has just been started, under a full load and with faults, looked at for a while.
struct MailWindow {
  struct Figures: Sendable {
    /// Mails accepted.
    var perSecond: Double
    /// Processor time of the dispatchers for a mail.
    var microsecondsEach: Double
  }

  let bench: Bench
  let feed: DispatchFeed
  var faults: [SimulatorControl.Fault] = []
  /// Of the dispatcher, over those of the stack.
  var variables: [String: String] = [:]

  /// Until connections are warm, and what is slow is known to be.
  private static let leadIn = Duration.seconds(3)

  func measure() async throws -> Figures {
    try await clear()
    for fault in faults { try await bench.simulator.add(fault) }
    let dispatchers =
      variables.isEmpty
      ? bench.stack.services(.email)
      : [bench.stack.extra(.email, name: "email-window", port: try FreePort.find(), variables: variables)]
    do {
      for process in dispatchers { try process.launch() }
      for process in dispatchers { try await process.waitUntilReady() }
      let figures = try await look()
      for process in dispatchers { await process.kill() }
      return figures
    } catch {
      for process in dispatchers { await process.kill() }
      throw error
    }
  }

  private func look() async throws -> Figures {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await feed.keep(.full) }
      // Also when the work fails: the group waits for the feed.
      defer { group.cancelAll() }
      try await Task.sleep(for: Self.leadIn)
      let (started, former, before) = (WallTime.now, ProcessSample.take(), try await bench.simulator.mails().accepted)
      try await Task.sleep(for: .seconds(2 * bench.options.seconds))
      let (ended, latter, after) = (WallTime.now, ProcessSample.take(), try await bench.simulator.mails().accepted)
      guard try await bench.admin.depth(of: feed.queue.name) > 0 else {
        throw BenchError("\(feed.queue.name) ran empty: the load was no full one")
      }
      let name = "belfry-email"
      guard after > before, let end = latter.usage[name]?.cpuSeconds, let start = former.usage[name]?.cpuSeconds else {
        throw BenchError("no mail came, or the dispatcher is not running")
      }
      return Figures(
        perSecond: Double(after - before) / WallTime.seconds(from: started, to: ended),
        microsecondsEach: (end - start) * 1_000_000 / Double(after - before)
      )
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
