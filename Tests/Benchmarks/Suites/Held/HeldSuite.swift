import Foundation
import LocalStack
import NotificationModel
import NotificationStore
import Postgres

/// Held pushes that have all come due within one minute, as at the end of a night: how fast routers deliver them, and what
/// single sends and the table notice of it.
struct HeldSuite {
  let bench: Bench

  func measure() async throws {
    let sends = try await SingleSends(bench)
    let wave = try await HeldWave(bench.options.held, in: bench.database)
    let ordinary = try await pushSingles(to: wave, beside: sends)
    let calm = try await measureCalm(sends)
    let first = try await run(wave, "first wave", beside: sends, ordinary: ordinary, calm: calm)
    let second = try await run(wave, "second wave", beside: sends, ordinary: ordinary, calm: calm)
    bench.add(
      Measurement(
        .held,
        "table and indexes after the second wave",
        second.megabytes,
        "MB",
        limit: ("after the first", first.megabytes),
        budget: .ratioAtMost(1.1)
      )
    )
  }

  /// The same pushes to the same people as single sends from a full queue, with all services running and the same sends beside as
  /// during the waves. Each counts once its push is accepted: a wave's go no faster than they are pushed, too.
  private func pushSingles(to wave: HeldWave, beside sends: SingleSends) async throws -> RouterFigures {
    let users = try await wave.sample(min(wave.count, bench.options.seconds * 4_000))
    try await bench.simulator.reset()
    let feed = RouterFeed(bench: bench, suite: .held)
    try await feed.fill(users.count) { Array(#"{"to":{"users":["\#(users[$0])"]},\#(SendSuite.content)}"#.utf8) }
    let (figures, sent) = try await sends.during {
      try await feed.drain(users.count, Self.singles, every: .milliseconds(200)) {
        let others = try await sends.pushed()
        return try await bench.simulator.pushes().acceptedOnce - others
      }
    }
    bench.add(figures.usage)
    try await Patience.wait(for: "their pushes", within: .seconds(300), every: .milliseconds(200)) {
      try await bench.simulator.pushes().acceptedOnce >= users.count + sent.count
    }
    return figures
  }

  private static let singles = "single sends from a full queue to the same people"

  /// Single sends with nothing beside them.
  private func measureCalm(_ sends: SingleSends) async throws -> SingleSends.Sent {
    try await bench.simulator.reset()
    var sent = try await sends.during { try await Task.sleep(for: .seconds(bench.options.seconds)) }.sent
    try await Patience.wait(for: "\(sent.count) pushes", within: .seconds(60), every: .milliseconds(100)) {
      try await bench.simulator.pushes().acceptedOnce >= sent.count
    }
    try await sent.look()
    return sent
  }

  /// - Returns: How large the table is afterwards.
  private func run(
    _ wave: HeldWave,
    _ what: String,
    beside sends: SingleSends,
    ordinary: RouterFigures,
    calm: SingleSends.Sent
  ) async throws -> HeldTable {
    for process in bench.stack.services(.router) { await process.terminate() }
    try await wave.fill()
    try await bench.simulator.reset()
    let (deadLettered, outcomes) = (try await bench.deadLettered(), try await rows("deliveries"))
    let drain = try await HeldDrain.run(wave, what, beside: sends, bench)
    let expected = wave.count + drain.sent.count
    try await Patience.wait(for: "\(expected) outcomes", within: .seconds(120), every: .seconds(1)) {
      try await rows("deliveries") >= outcomes + expected
    }
    let (pushes, nowDeadLettered) = (try await bench.simulator.pushes().acceptedOnce, try await bench.deadLettered())
    guard pushes == expected else { throw BenchError("\(what): \(pushes) pushes instead of \(expected)") }
    guard nowDeadLettered == deadLettered else {
      throw BenchError("\(what): \(nowDeadLettered - deadLettered) messages were dead-lettered")
    }
    try report(drain, "\(what) of \(wave.count)", ordinary: ordinary, calm: calm)
    try await bench.addDuplicates(.held, what)
    try await HeldTable.waitForVacuum(since: drain.end, in: bench.database)
    let table = try await HeldTable.measure(in: bench.database)
    Progress.say("  … held: table \(table.table) bytes, indexes \(table.indexes) bytes")
    return table
  }

  private func report(
    _ drain: HeldDrain,
    _ what: String,
    ordinary: RouterFigures,
    calm: SingleSends.Sent
  ) throws {
    bench.add(drain.usage)
    bench.add(
      Measurement(
        .held,
        "\(what), rows delivered",
        Double(drain.rows) / drain.seconds,
        "/s",
        limit: (Self.singles, ordinary.perSecond),
        budget: .shareAtLeast(0.9)
      )
    )
    bench.add(
      Measurement(
        .held,
        "\(what), router's CPU of a push, single sends included",
        drain.usage.entry("belfry-router")?.microsecondsEach ?? .infinity,
        "µs",
        limit: (Self.singles, 1_000_000 / ordinary.perCore)
      )
    )
    bench.add(
      Measurement(.held, "\(what), pushes accepted until the last", Double(drain.pushes) / drain.pushSeconds, "/s")
    )
    bench.add(Measurement(.held, "\(what), messages in the push queue at most", Double(drain.deepest), ""))
    for (step, times, before) in [
      ("POST to 202", drain.sent.toAccepted, calm.toAccepted),
      ("POST to push accepted", try drain.sent.toPush(), try calm.toPush()),
    ] {
      for percent in [50.0, 99.0] {
        bench.add(
          Measurement(
            .held,
            "\(what), meanwhile \(step) at \(SingleSends.rate)/s, p\(Int(percent))",
            times.percentile(percent),
            "ms",
            limit: ("with nothing beside", before.percentile(percent)),
            budget: percent == 99 && step != "POST to 202" ? .atMost(100) : nil
          )
        )
      }
    }
  }

  private func rows(_ table: String) async throws -> Int {
    guard let row = try await bench.database.query("SELECT count(*) FROM \(unescaped: table)").first else { return 0 }
    return try row.get(0)
  }
}
