import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue

/// Routers that find a full queue: they are stopped while it is filled, and measured while they work it off.
struct RouterFeed {
  let bench: Bench
  /// What the results are part of.
  let suite: Suite

  /// Stops the routers and fills their queue.
  ///
  /// - Parameter count: Messages, numbered from 0.
  func fill(_ count: Int, _ body: @escaping @Sendable (Int) -> [UInt8]) async throws {
    for process in bench.stack.services(.router) { await process.terminate() }
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
                IngestKind.request.message(body(number), id: RequestID(now: Date.now), appID: "belfry-bench"),
                exchange: Topology.ingestExchange,
                routingKey: IngestKind.request.routingKey
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
  ///   - done: How much of it is done; it counts on from any number.
  func drain(_ count: Int, _ what: String, until done: () async throws -> Int) async throws -> RouterFigures {
    let base = try await done()
    for process in bench.stack.services(.router) { try process.launch() }
    try await Patience.wait(for: "the first of \(what)", within: .seconds(30)) { try await done() > base }
    let (started, before, left) = (WallTime.now, ProcessSample.take(), base + count - (try await done()))
    try await Patience.wait(for: "\(count) of \(what)", within: .seconds(300), every: .milliseconds(50)) {
      try await done() >= base + count
    }
    let wall = WallTime.seconds(from: started, to: WallTime.now)
    let after = ProcessSample.take()
    guard left > 0 else { throw BenchError("all \(count) of \(what) were done before they could be measured") }
    let usage = UsageReport(suite, what, notifications: left, wallSeconds: wall, from: before, to: after)
    guard let router = usage.entry("belfry-router"), router.microsecondsEach > 0 else {
      throw BenchError("the routers took no processor time for \(what)")
    }
    return RouterFigures(usage: usage, perCore: 1_000_000 / router.microsecondsEach, perSecond: Double(left) / wall)
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
