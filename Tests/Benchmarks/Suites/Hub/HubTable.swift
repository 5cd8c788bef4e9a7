/// The results of the suite hub, next to nchan's.
struct HubTable {
  let bench: Bench
  let plan: FanOut.Plan
  let nchan: FanOutFigures?

  func add(_ hub: FanOutFigures) {
    let (crowd, audience) = ("\(plan.crowd) connections", "\(plan.audience) connections")
    add(
      "resident for an idle connection, of \(crowd)",
      hub,
      \.idle.kilobytes,
      "KB",
      budget: .atMostAndWithinLimit(4)
    )
    add("CPU a second of an idle connection", hub, \.idle.microseconds, "µs")
    add("connects with a token (nchan: without)", hub, \.connects.perSecond, "/s")
    add("CPU of a connect", hub, \.connects.microsecondsEach, "µs")
    add("published to the last of \(audience), p50", hub, \.delivery.toLast.middle, "ms")
    add(
      "published to the last of \(audience), p99",
      hub,
      \.delivery.toLast.worst,
      "ms",
      budget: .atMostAndWithinLimit(150)
    )
    add("published to each of \(audience), p50", hub, \.delivery.toEach.middle, "ms")
    add("published to each of \(audience), p99", hub, \.delivery.toEach.worst, "ms")
    add("messages delivered at saturation", hub, \.saturation.perSecond, "/s")
    add("CPU of a message at saturation", hub, \.saturation.microsecondsEach, "µs")
  }

  /// - Parameter oneWorker: How fast nchan is with a single worker.
  func add(_ hub: FanOutFigures, _ oneWorker: FanOutFigures.Delivery) {
    for (name, figure) in [("p50", \Latencies.middle), ("p99", \Latencies.worst)]
      as [(String, KeyPath<Latencies, Double>)]
    {
      let limit = (name: "nchan, 1 worker", value: oneWorker.toLast[keyPath: figure])
      bench.add(
        Measurement(
          .hub,
          "to the last, \(name), beside a single worker",
          hub.delivery.toLast[keyPath: figure],
          "ms",
          limit: limit,
          budget: nil
        )
      )
    }
  }

  func add(_ kind: HubStorm.Kind, _ storm: HubStorm.Result) {
    let how = kind == .drained ? "SIGTERM" : "SIGKILL"
    bench.add(Measurement(.hub, "\(how): node ready again after", storm.secondsToReady, "s"))
    bench.add(Measurement(.hub, "\(how): all \(plan.audience) back after", storm.seconds, "s"))
    if let seconds = storm.secondsToResume {
      bench.add(Measurement(.hub, "\(how): all have what they missed after", seconds, "s"))
    }
    bench.add(
      Measurement(.hub, "\(how): clients that gave up", Double(storm.givenUp), "", budget: .atMost(0))
    )
  }

  private func add(
    _ what: String,
    _ hub: FanOutFigures,
    _ figure: KeyPath<FanOutFigures, Double>,
    _ unit: String,
    budget: Measurement.Budget? = nil
  ) {
    let limit = nchan.map { (name: "nchan", value: $0[keyPath: figure]) }
    bench.add(Measurement(.hub, what, hub[keyPath: figure], unit, limit: limit, budget: budget))
  }
}

extension Latencies {
  fileprivate var middle: Double { percentile(50) }
  fileprivate var worst: Double { percentile(99) }
}
