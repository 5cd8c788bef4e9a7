import Broker
import Foundation
import LocalStack
import NotificationQueue

/// What became of one wave, measured from the moment at which the first of it was delivered.
struct HeldDrain {
  /// Rows left at that moment.
  var rows: Int
  /// Until none was left: a row goes after the broker's confirm of its push.
  var seconds: Double
  /// When none was left.
  var end: Date
  /// Until then.
  var usage: UsageReport
  /// Most messages that stood in the push queue until then, of up to 100 pushes each; those in the dispatcher's hands are not
  /// counted.
  var deepest: Int
  /// What was sent meanwhile.
  var sent: SingleSends.Sent
  /// Accepted by FCM's simulator from the first moment to the last push, the single sends' among them.
  var pushes: Int
  var pushSeconds: Double

  /// Starts the routers, which find all of it due, and waits until all of it is pushed.
  static func run(
    _ wave: HeldWave,
    _ what: String,
    beside sends: SingleSends,
    _ bench: Bench
  ) async throws -> HeldDrain {
    let first = try await wave.nextDue()
    let routers = bench.stack.services(.router)
    for process in routers { try process.launch() }
    for process in routers { try await process.waitUntilReady() }
    var (delivering, sent) = try await sends.during { try await deliver(wave, after: first, what, bench) }
    let expected = wave.count + sent.count
    var looks = 0
    try await Patience.wait(for: "\(expected) pushes of the \(what)", within: patience(wave.count)) {
      if looks % 50 == 0 { try await sent.look() }
      looks += 1
      return try await bench.simulator.pushes().acceptedOnce >= expected
    }
    let pushSeconds = WallTime.seconds(from: delivering.start, to: WallTime.now)
    try await sent.look()
    let seconds = WallTime.seconds(from: delivering.start, to: delivering.end)
    return HeldDrain(
      rows: delivering.rows,
      seconds: seconds,
      end: Date(timeIntervalSince1970: Double(delivering.end) / 1e9),
      usage: UsageReport(
        .held,
        what,
        notifications: delivering.rows + sent.count,
        wallSeconds: seconds,
        from: delivering.before,
        to: delivering.after
      ),
      deepest: delivering.deepest,
      sent: sent,
      pushes: expected - delivering.pushes,
      pushSeconds: pushSeconds
    )
  }

  /// From the first row that goes to the last.
  private struct Delivering {
    var start: Int64
    var end: Int64
    /// Left, and accepted, at the start.
    var rows: Int
    var pushes: Int
    var before: ProcessSample
    var after: ProcessSample
    var deepest: Int
  }

  private static func deliver(
    _ wave: HeldWave,
    after first: Date?,
    _ what: String,
    _ bench: Bench
  ) async throws -> Delivering {
    try await Patience.wait(for: "the first of the \(what)", within: .seconds(30)) {
      try await wave.nextDue() != first
    }
    let (start, before, rows) = (WallTime.now, ProcessSample.take(), try await wave.rows())
    let pushes = try await bench.simulator.pushes().acceptedOnce
    guard rows > wave.count / 2 else {
      throw BenchError("the \(what) of \(wave.count) was over before it could be measured: take a larger --held")
    }
    var (looks, deepest) = (0, 0)
    try await Patience.wait(for: "the end of the \(what)", within: patience(wave.count), every: .milliseconds(50)) {
      if looks % 20 == 0 { deepest = max(deepest, try await bench.admin.depth(of: WorkQueue.push.name)) }
      looks += 1
      return try await wave.nextDue() == nil
    }
    return Delivering(
      start: start,
      end: WallTime.now,
      rows: rows,
      pushes: pushes,
      before: before,
      after: ProcessSample.take(),
      deepest: deepest
    )
  }

  /// A tenth of any rate that would be acceptable.
  private static func patience(_ count: Int) -> Duration { .seconds(60 + count / 1_000) }
}
