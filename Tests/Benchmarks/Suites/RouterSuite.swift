import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue

/// The router alone, fed from a full queue; then the push dispatcher alone, fed from what the router left.
struct RouterSuite {
  let bench: Bench

  func measure() async throws {
    let population = try await bench.population()
    let push = bench.stack.services(.push)
    for process in push { await process.terminate() }
    try await routeSingles(population)
    try await bench.admin.purge(WorkQueue.push.name)
    try await routeGroup(population)
    try await dispatch(population.count)
    try await feed.resume()
  }

  private func routeSingles(_ population: Population) async throws {
    let count = bench.options.seconds * 4_000
    let bodies = population.sample.map { Array(#"{"to":{"users":["\#($0)"]},\#(SendSuite.content)}"#.utf8) }
    try await feed.fill(count) { bodies[$0 % bodies.count] }
    try await route(count, "single sends from a full queue", budget: 20_000)
  }

  private func routeGroup(_ population: Population) async throws {
    let body = Array(#"{"to":{"group":"\#(population.group)"},\#(SendSuite.content)}"#.utf8)
    try await feed.fill(1) { _ in body }
    try await route(population.count, "a group from a full queue", budget: 60_000)
  }

  private var feed: RouterFeed { RouterFeed(bench: bench, suite: .router) }

  /// Starts the routers and waits until as many notifications are stored and dispatched.
  ///
  /// - Parameter budget: Notifications per second for a core's worth of router.
  private func route(_ count: Int, _ what: String, budget: Double) async throws {
    let figures = try await feed.drain(count, what) { try await bench.stored() }
    bench.add(figures.usage)
    bench.add(
      Measurement(.router, "\(what): for a core's worth of router", figures.perCore, "/s", budget: .atLeast(budget))
    )
    bench.add(Measurement(.router, "\(what): with everything on this machine", figures.perSecond, "/s"))
  }

  /// The routers stopped, a push dispatcher works off what they left.
  private func dispatch(_ count: Int) async throws {
    for process in bench.stack.services(.router) { await process.terminate() }
    // Before and after: the machine's speed varies more within seconds than what is compared here differs.
    let former = try await FCMLimit.measure(bench.stack, count: 40_000)
    try await bench.simulator.reset()
    for process in bench.stack.services(.push) { try process.launch() }
    try await Patience.wait(for: "the first push", within: .seconds(30)) {
      try await bench.simulator.pushes().arrived > 0
    }
    let (started, before, first) = (WallTime.now, ProcessSample.take(), try await bench.simulator.pushes().arrived)
    try await Patience.wait(for: "\(count) pushes", within: .seconds(300)) {
      try await bench.simulator.pushes().arrived >= count
    }
    let wall = WallTime.seconds(from: started, to: WallTime.now)
    let after = ProcessSample.take()
    let usage = UsageReport(
      .router,
      PushDrain.what,
      notifications: count - first,
      wallSeconds: wall,
      from: before,
      to: after
    )
    bench.add(usage)
    try await bench.addDuplicates(.router, PushDrain.what)
    try await bench.simulator.reset()
    let latter = try await FCMLimit.measure(bench.stack, count: 40_000)
    let figures = PushDrain.Figures(
      perSecond: Double(count - first) / wall,
      microsecondsEach: usage.entry("belfry-push")?.microsecondsEach ?? .infinity,
      limit: .mean(former, latter)
    )
    bench.add(
      Measurement(
        .router,
        PushDrain.what,
        figures.perSecond,
        "/s",
        limit: ("libcurl loop, same simulator", figures.limit.perSecond),
        budget: .shareAtLeast(0.9)
      )
    )
    bench.add(
      Measurement(
        .router,
        "push dispatcher: CPU of a push",
        figures.microsecondsEach,
        "µs",
        limit: ("libcurl loop, same simulator", figures.limit.microsecondsEach),
        budget: .ratioAtMost(1)
      )
    )
    await bench.add(.router, figures, beside: "firebase-admin") {
      try await FCMLimit.firebaseAdmin(bench.stack, count: bench.options.seconds * 500)
    }
    try await bench.simulator.reset()
  }
}

extension Bench {
  /// Looks at the stack's queues.
  var admin: BrokerAdmin {
    get throws {
      BrokerAdmin(configuration: try BrokerConfiguration(url: stack.rabbitmq.url), logger: .bench)
    }
  }
}
