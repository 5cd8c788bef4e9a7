import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import Postgres

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
    for process in bench.stack.services(.router) {
      try process.launch()
      try await process.waitUntilReady()
    }
  }

  private func routeSingles(_ population: Population) async throws {
    let count = bench.options.seconds * 4_000
    try await feed(count: count) {
      let users = population.sample
      let bodies = users.map { Array(#"{"to":{"users":["\#($0)"]},\#(SendSuite.content)}"#.utf8) }
      try await publish(count) { bodies[$0 % bodies.count] }
    }
    try await route(count, "single sends from a full queue", budget: 20_000)
  }

  private func routeGroup(_ population: Population) async throws {
    try await feed(count: 1) {
      let body = Array(#"{"to":{"group":"\#(Population.group)"},\#(SendSuite.content)}"#.utf8)
      try await publish(1) { _ in body }
    }
    try await route(population.count, "a group from a full queue", budget: 60_000)
  }

  /// Stops the routers and fills their queue.
  private func feed(count: Int, _ publish: () async throws -> Void) async throws {
    for process in bench.stack.services(.router) { await process.terminate() }
    try await publish()
    let depth = try await bench.admin.depth(of: Topology.ingestQueue)
    guard depth >= count else { throw BenchError("only \(depth) of \(count) messages are in the queue") }
  }

  private func publish(_ count: Int, _ body: @escaping @Sendable (Int) -> [UInt8]) async throws {
    let publisher = BrokerPublisher(
      configuration: try BrokerConfiguration(url: bench.stack.rabbitmq.url),
      maximumUnconfirmed: 1_000,
      logger: .bench
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await publisher.run() }
      try await Patience.wait(for: "a connection", within: .seconds(5)) { publisher.state == .connected }
      let callers = min(1_000, count)
      try await withThrowingDiscardingTaskGroup { tasks in
        for caller in 0..<callers {
          tasks.addTask { @concurrent in
            for number in stride(from: caller, to: count, by: callers) {
              let message = BrokerMessage(
                body: body(number),
                messageID: RequestID(now: Date.now).description,
                contentType: "application/json",
                type: IngestKind.request.messageType,
                appID: "belfry-bench"
              )
              try await publisher.publish(
                message,
                exchange: Topology.ingestExchange,
                routingKey: Topology.requestKey
              )
            }
          }
        }
      }
      group.cancelAll()
    }
  }

  /// Starts the routers and waits until as many notifications are stored and dispatched.
  ///
  /// - Parameter budget: Notifications per second for a core's worth of router.
  private func route(_ count: Int, _ what: String, budget: Double) async throws {
    let base = try await stored()
    let router = bench.stack.services(.router)
    for process in router { try process.launch() }
    try await Patience.wait(for: "the first notification", within: .seconds(30)) { try await stored() > base }
    // From here on: what the start costs is not of interest.
    let (started, before, first) = (WallTime.now, ProcessSample.take(), try await stored())
    try await Patience.wait(for: "\(count) notifications", within: .seconds(300), every: .milliseconds(50)) {
      try await stored() >= base + count
    }
    let wall = WallTime.seconds(from: started, to: WallTime.now)
    let after = ProcessSample.take()
    let routed = base + count - first
    let usage = UsageReport(.router, what, notifications: routed, wallSeconds: wall, from: before, to: after)
    bench.add(usage)
    let each = usage.entry("belfry-router")?.microsecondsEach ?? .infinity
    bench.add(
      Measurement(.router, "\(what): for a core's worth of router", 1_000_000 / each, "/s", budget: .atLeast(budget))
    )
    bench.add(Measurement(.router, "\(what): with everything on this machine", Double(routed) / wall, "/s"))
  }

  /// Notifications in all inboxes.
  private func stored() async throws -> Int {
    let rows = try await bench.database.query("SELECT coalesce(sum(seq), 0)::int8 FROM inbox")
    guard let row = rows.first else { return 0 }
    return try row.get(0)
  }

  /// The routers stopped, a push dispatcher works off what they left.
  private func dispatch(_ count: Int) async throws {
    for process in bench.stack.services(.router) { await process.terminate() }
    let limit = try await bench.simulatorLimit()
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
      "push dispatcher alone",
      notifications: count - first,
      wallSeconds: wall,
      from: before,
      to: after
    )
    bench.add(usage)
    bench.add(
      Measurement(
        .router,
        "push dispatcher alone",
        Double(count - first) / wall,
        "/s",
        limit: ("libcurl loop, same simulator", limit.perSecond),
        budget: .shareAtLeast(0.9)
      )
    )
    bench.add(
      Measurement(
        .router,
        "push dispatcher: CPU of a push",
        usage.entry("belfry-push")?.microsecondsEach ?? .infinity,
        "µs",
        limit: ("libcurl loop, same simulator", limit.microsecondsEach),
        budget: .ratioAtMost(1)
      )
    )
    try await bench.addDuplicates(.router, "push dispatcher alone")
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
