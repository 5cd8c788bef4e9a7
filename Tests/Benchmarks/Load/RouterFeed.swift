import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import Postgres

/// Routers that find a full queue: they are stopped while it is filled, and measured while they work it off.
struct RouterFeed {
  let bench: Bench
  /// What the results are part of.
  let suite: Suite

  /// Stops the routers and fills their queue.
  ///
  /// - Parameters:
  ///   - count: Messages, numbered from 0.
  ///   - time: When each of them was accepted, as its id says.
  func fill(
    _ count: Int,
    with kind: IngestKind = .request,
    at time: @escaping @Sendable (Int) -> Date = { _ in Date.now },
    _ body: @escaping @Sendable (Int) -> [UInt8]
  ) async throws {
    await stop()
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
              try await publisher.publish(
                kind.message(body(number), id: RequestID(now: time(number)), appID: "belfry-bench", at: .now),
                exchange: Topology.ingestExchange,
                routingKey: kind.routingKey
              )
            }
          }
        }
      }
      group.cancelAll()
    }
    let depth = try await bench.admin.depth(of: Topology.ingestQueue)
    guard depth >= count else { throw BenchError("only \(depth) of \(count) messages are in the queue") }
  }

  /// Starts the routers and measures them until they are done. What their start costs is left out: the measuring begins once
  /// something is done.
  ///
  /// - Parameters:
  ///   - count: What is to be done.
  ///   - pause: Between two looks at what is done, which cost PostgreSQL something.
  ///   - done: How many of these are done.
  func drain(
    _ count: Int,
    _ what: String,
    every pause: Duration = .milliseconds(50),
    until done: () async throws -> Int
  ) async throws -> RouterFigures {
    let base = try await done()
    func first() async throws -> Int { try await done() - base }
    for process in bench.stack.services(.router) { try process.launch() }
    try await Patience.wait(for: "the first of \(what)", within: .seconds(30)) { try await first() > 0 }
    let (started, before, left) = (WallTime.now, ProcessSample.take(), count - (try await first()))
    try await Patience.wait(for: "\(count) of \(what)", within: .seconds(300), every: pause) {
      try await done() >= base + count
    }
    let wall = WallTime.seconds(from: started, to: WallTime.now)
    let after = ProcessSample.take()
    guard left > 0 else { throw BenchError("all \(count) of \(what) were done before they could be measured: too few") }
    let usage = UsageReport(suite, what, notifications: left, wallSeconds: wall, from: before, to: after)
    guard let router = usage.entry("belfry-router"), router.microsecondsEach > 0 else {
      throw BenchError("the routers took no processor time for \(what)")
    }
    return RouterFigures(usage: usage, perCore: 1_000_000 / router.microsecondsEach, perSecond: Double(left) / wall)
  }

  /// Ends a measurement: stops the routers, and drops the pushes that they made.
  ///
  /// - Throws: ``BenchError`` unless the routers have done all that was in their queue, stored exactly so many notifications
  ///   since, made a push of each, and neither held nor dead-lettered anything.
  func finish(_ count: Int, since before: RouterTally, _ what: String) async throws {
    // What is stored is published a moment later.
    try await Patience.wait(for: "\(count) pushes in the queue", within: .seconds(30), every: .milliseconds(100)) {
      try await bench.admin.depth(of: WorkQueue.push.name) * DispatchMessage.maximumDeliveries >= count
    }
    await stop()
    try await Patience.wait(for: "nothing left to do of \(what)", within: .seconds(10), every: .milliseconds(100)) {
      try await bench.admin.depth(of: Topology.ingestQueue) == 0
    }
    let after = try await bench.routerTally()
    guard after.stored == before.stored + count, after.pushes == before.pushes + count, after.held == before.held,
      after.deadLettered == before.deadLettered
    else { throw BenchError("\(what): \(count) pushes should have come of \(before), but it is \(after)") }
    try await bench.admin.purge(WorkQueue.push.name)
  }

  /// Stops the routers and the push dispatchers, and drops what the dispatchers have not sent.
  func isolate() async throws {
    await stop()
    for process in bench.stack.services(.push) { await process.terminate() }
    try await bench.admin.purge(WorkQueue.push.name)
  }

  /// Starts the routers again, and the push dispatchers if they were stopped.
  func resume() async throws {
    let processes = bench.stack.services(.router) + bench.stack.services(.push)
    for process in processes { try process.launch() }
    for process in processes { try await process.waitUntilReady() }
  }

  private func stop() async {
    for process in bench.stack.services(.router) { await process.terminate() }
  }
}

/// How fast routers worked off a queue.
struct RouterFigures: Sendable {
  var usage: UsageReport
  /// A second, for a core's worth of their processor time.
  var perCore: Double
  /// A second, with everything on this machine.
  var perSecond: Double
}
