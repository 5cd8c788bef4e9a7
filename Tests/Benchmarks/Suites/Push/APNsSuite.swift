import NotificationQueue

/// The push dispatcher's APNs, fed from a full queue, beside other clients of the simulator's APNs.
struct APNsSuite {
  let bench: Bench

  private static let devices = 20_000

  func measure() async throws {
    let limit = try APNsLimit(bench.stack)
    let count = bench.options.seconds * 4_000
    let drain = PushDrain(
      bench: bench,
      suite: .apns,
      feed: try PushFeed(bench, .apns(Self.devices)),
      limit: { try await limit.loop(count) }
    )
    let figures = try await drain.measure(bench.options.seconds * 100)
    bench.add(
      Measurement(
        .apns,
        PushDrain.what,
        figures.perSecond,
        "/s",
        limit: ("libcurl loop, same simulator", figures.limit.perSecond),
        budget: .shareAtLeast(0.9)
      )
    )
    bench.add(
      Measurement(
        .apns,
        "push dispatcher: CPU of a push",
        figures.microsecondsEach,
        "µs",
        limit: ("libcurl loop, same simulator", figures.limit.microsecondsEach),
        budget: .ratioAtMost(1)
      )
    )
    try await compare(figures, limit, count)
    try await bench.simulator.reset()
  }

  private func compare(_ figures: PushDrain.Figures, _ limit: APNsLimit, _ count: Int) async throws {
    await bench.add(
      Measurement(.apns, "\(PushDrain.what), beside h2load", figures.perSecond, "/s"),
      beside: "h2load, same simulator"
    ) {
      if let problem = H2Load.problem { throw BenchError(problem) }
      return try await limit.h2load(count)
    }
    await bench.add(.apns, figures, beside: "aioapns") { try await limit.aioapns(bench.options.seconds * 500) }
  }
}
