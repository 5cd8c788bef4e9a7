import BenchmarkComparison
import Broker
import Foundation
import LocalStack

/// The hub of one in-app node at scale, beside nchan with the same clients and messages of the same size.
struct HubSuite {
  let bench: Bench

  private static let crowd = 15_000
  private static let audience = 10_000
  /// Files that clients and servers need besides their connections.
  private static let otherFiles = 500
  /// Of the comparison with nchan: another server may be disturbed as ours may, and then it is not beside it.
  private static let tries = 3

  func measure() async throws {
    // Clients and server are different processes, so each needs one for each connection.
    let crowd = min(Self.crowd, OpenFiles.raise() - Self.otherFiles)
    if crowd < Self.crowd { Progress.say("  ! only \(crowd) connections: the limit of open files allows no more") }
    let plan = FanOut.Plan(crowd: crowd, audience: min(Self.audience, crowd), seconds: bench.options.seconds)
    // A fresh process: what earlier suites left in its heap would hide what connections need.
    try await bench.stack.services(.inapp)[0].restart()
    let publisher = BrokerPublisher(
      configuration: try BrokerConfiguration(url: bench.stack.rabbitmq.url),
      logger: .bench
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await publisher.run() }
      defer { group.cancelAll() }
      try await Patience.wait(for: "a connection", within: .seconds(5)) { publisher.state == .connected }
      let node = try await HubNode(bench, publisher: publisher, users: plan.crowd, audience: plan.audience)
      try await FanOut.with(node, plan) { hub in
        try await compare(hub, plan)
        try await storms(hub, node)
      }
    }
  }

  /// Measures the hub, beside nchan where that is installed.
  private func compare(_ hub: FanOut, _ plan: FanOut.Plan) async throws {
    var figures = FanOutFigures()
    (figures.connects, figures.idle) = try await hub.connectAndIdle()
    figures.saturation = try await hub.saturate()
    let processors = max(2, ProcessInfo.processInfo.activeProcessorCount)
    var limits: (nchan: FanOutFigures, oneWorker: FanOutFigures.Delivery)?
    if let problem = NchanServer.problem {
      bench.note("\(problem); measured without it")
    } else {
      do {
        let measured = try await Repetition.measure("nchan", tries: Self.tries) {
          bench.note($0)
        } _: { _ in
          // What a try that failed has left connected.
          try await hub.disconnect()
          return try await beside(hub, plan, workers: processors)
        }
        figures.delivery = measured.hub
        limits = (measured.nchan, measured.oneWorker)
      } catch {
        bench.note("measured without nchan")
        try await hub.disconnect()
      }
    }
    if limits == nil { figures.delivery = try await FanOut.deliver([hub])[0] }
    try hub.check()
    HubTable(bench: bench, plan: plan, nchan: limits?.nchan).add(figures)
    if let oneWorker = limits?.oneWorker { HubTable(bench: bench, plan: plan, nchan: nil).add(figures, oneWorker) }
  }

  /// Events of the hub and of nchan in turns.
  ///
  /// - Parameter workers: Of the nchan that delivers most; a second one has a single worker.
  private func beside(_ hub: FanOut, _ plan: FanOut.Plan, workers: Int) async throws -> (
    hub: FanOutFigures.Delivery, nchan: FanOutFigures, oneWorker: FanOutFigures.Delivery
  ) {
    try await nchan(plan, workers: workers, bodySize: hub.arrivals.bytesEach) { nchan in
      try await self.nchan(plan, workers: 1, bodySize: hub.arrivals.bytesEach) { oneWorker in
        var figures = FanOutFigures()
        (figures.connects, figures.idle) = try await nchan.connectAndIdle()
        figures.saturation = try await nchan.saturate()
        let deliveries = try await FanOut.deliver([hub, nchan, oneWorker])
        figures.delivery = deliveries[1]
        for run in [nchan, oneWorker] { try run.check() }
        return (deliveries[0], figures, deliveries[2])
      }
    }
  }

  /// Lends nchan's clients, none of them connected.
  private func nchan<Result>(
    _ plan: FanOut.Plan,
    workers: Int,
    bodySize: Int,
    _ body: (FanOut) async throws -> Result
  ) async throws -> Result {
    let server = try await NchanServer.start(
      workers: workers,
      directory: "\(bench.directory)/nginx-\(workers)",
      connections: plan.crowd,
      bodySize: bodySize
    )
    let result: Result
    do {
      result = try await FanOut.with(server, plan, body)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    return result
  }

  /// Ends the node and lets all clients come back.
  private func storms(_ hub: FanOut, _ node: HubNode) async throws {
    try await hub.fleet.open(0..<hub.plan.audience)
    for (seq, kind) in HubStorm.Kind.allCases.enumerated() {
      hub.say("\(kind == .drained ? "SIGTERM" : "SIGKILL") to the node of \(hub.plan.audience) clients")
      var schedule = ReconnectSchedule.stock
      schedule.greeting = ClientDialect.resume(after: seq)
      hub.fleet.order(.reconnect(schedule))
      let number = hub.nextNumber()
      let storm = try await HubStorm(process: node.process, fleet: hub.fleet, arrivals: hub.arrivals)
        .measure(kind) { try await node.store(number, at: seq + 1, bench.database) }
      hub.say("all back after \(storm.seconds.text(1)) s, \(storm.failures) attempts in vain")
      HubTable(bench: bench, plan: hub.plan, nchan: nil).add(kind, storm)
      // Whoever is connected must also be notified.
      if storm.givenUp == 0 { _ = try await hub.round() }
      try hub.checkOrder()
    }
  }
}
