import BenchmarkComparison
import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import Postgres

/// How long a transactional mail takes while 100,000 bulk mails wait, beside what it takes while none does.
///
/// The mail server answers each mail after 20 ms, as one elsewhere does: so the connections are what both streams want.
///
/// Percentiles are of each round by itself, and the figures are their medians: when something else delays a few mails of one round, that
/// round's 99th percentile alone is spoilt. What the backlog does, it does in each.
struct StreamSuite {
  let bench: Bench

  private static let backlog = 100_000
  private static let latency = Duration.milliseconds(20)
  /// Transactional mails a second: a fifth of what the four connections carry.
  private static let rate = 40
  private static let rounds = 5
  private static let reader = "waits@example.com"

  func measure() async throws {
    let mails = try MailFeed(bench)
    var (alone, beside): ([Latencies], [Latencies]) = ([], [])
    for _ in 0..<Self.rounds {
      alone.append(Latencies(try await round(mails, backlog: 0)))
      beside.append(Latencies(try await round(mails, backlog: Self.backlog)))
    }
    try await clear()
    try await startDispatchers()
    for percent in [50.0, 99.0] {
      guard let before = FigureComparison.median(alone.map { $0.percentile(percent) }),
        let meanwhile = FigureComparison.median(beside.map { $0.percentile(percent) })
      else { continue }
      bench.add(
        Measurement(
          .streams,
          "a transactional mail while 100,000 bulk mails wait, p\(Int(percent))",
          meanwhile,
          "ms",
          limit: ("without them", before),
          budget: percent == 99 ? .ratioAtMost(1.2) : nil
        )
      )
    }
  }

  /// From when each of some mails is published until the mail server has it, in nanoseconds.
  private func round(_ mails: MailFeed, backlog: Int) async throws -> [Int64] {
    try await clear()
    try await bench.simulator.delay("email", stage: "message", by: Self.latency)
    if backlog > 0 { try await mails.fill(.emailBulk, backlog) }
    try await startDispatchers()
    if backlog > 0 {
      try await Patience.wait(for: "the first bulk mails", within: .seconds(30)) {
        try await bench.simulator.mails().accepted > 20
      }
    }
    let published = try await mails.keep(.email, to: Self.reader, rate: Self.rate, for: bench.options.seconds)
    var arrived: [String: Int64] = [:]
    try await Patience.wait(for: "the last mail", within: .seconds(60), every: .milliseconds(200)) {
      arrived = try await bench.simulator.mailTimes(to: Self.reader)
      return arrived.count >= published.count
    }
    if backlog > 0 {
      guard try await bench.admin.depth(of: WorkQueue.emailBulk.name) > 0 else {
        throw BenchError("the bulk mails ran out")
      }
    }
    return try published.map { id, time in
      guard let arrival = arrived[id] else { throw BenchError("a mail has another id than was published") }
      return arrival - time
    }
  }

  private func startDispatchers() async throws {
    for process in bench.stack.services(.email) {
      try process.launch()
      try await process.waitUntilReady()
    }
  }

  /// Has no dispatcher of mails, and nothing for it to do.
  private func clear() async throws {
    for process in bench.stack.services(.email) { await process.kill() }
    let admin = try bench.admin
    for stream in MailStream.allCases {
      let queue = WorkQueue(stream)
      try await Patience.wait(for: "nobody at \(queue.name)", within: .seconds(30), every: .milliseconds(100)) {
        try await admin.status(of: queue.name).consumers == 0
      }
      for name in [queue.name] + RetryLadder().tiers.map({ $0.queue(of: queue) }) { try await admin.purge(name) }
    }
    _ = try await bench.database.query("TRUNCATE deliveries")
    try await bench.simulator.reset()
  }
}
