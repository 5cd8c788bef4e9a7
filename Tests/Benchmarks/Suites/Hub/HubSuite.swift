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

  func measure() async throws {
    // Clients and server are different processes, so each needs one for each connection.
    let crowd = min(Self.crowd, OpenFiles.raise() - Self.otherFiles)
    if crowd < Self.crowd { Progress.say("  ! only \(crowd) connections: the limit of open files allows no more") }
    let plan = FanOut.Plan(crowd: crowd, audience: min(Self.audience, crowd), seconds: bench.options.seconds)
    // A fresh process: what earlier suites left in its heap would hide what connections need.
    try await bench.stack.services(.inapp)[0].restart()
    let belfry = try await hub(plan)
    let nchan = try await nchan(plan, bodySize: belfry.bytesEach)
    HubTable(bench: bench, plan: plan, nchan: nchan).add(belfry.figures)
    for (kind, storm) in belfry.storms { HubTable(bench: bench, plan: plan, nchan: nil).add(kind, storm) }
  }

  private typealias Storms = [(HubStorm.Kind, HubStorm.Result)]

  private func hub(
    _ plan: FanOut.Plan
  ) async throws -> (figures: FanOutFigures, bytesEach: Int, storms: Storms) {
    let publisher = BrokerPublisher(
      configuration: try BrokerConfiguration(url: bench.stack.rabbitmq.url),
      logger: .bench
    )
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await publisher.run() }
      defer { group.cancelAll() }
      try await Patience.wait(for: "a connection", within: .seconds(5)) { publisher.state == .connected }
      let node = try await HubNode(bench, publisher: publisher, users: plan.crowd, audience: plan.audience)
      var storms: Storms = []
      let (figures, bytesEach) = try await FanOut.measure(node, plan) { run in
        for (place, kind) in HubStorm.Kind.allCases.enumerated() {
          run.say("\(kind == .drained ? "SIGTERM" : "SIGKILL") to the node of \(plan.audience) clients")
          var schedule = ReconnectSchedule.stock
          schedule.greeting = ClientDialect.resume(since: place)
          run.fleet.order(.reconnect(schedule))
          let number = run.nextNumber()
          let storm = try await HubStorm(process: node.process, fleet: run.fleet, arrivals: run.arrivals)
            .measure(kind) { try await node.store(number, at: place + 1, bench.database) }
          run.say("all back after \(storm.seconds.text(1)) s, \(storm.failures) attempts in vain")
          storms.append((kind, storm))
          // Whoever is connected must also be told.
          if storm.givenUp == 0 { _ = try await run.round() }
          try run.checkOrder()
        }
      }
      return (figures, bytesEach, storms)
    }
  }

  /// - Returns: nil where nchan is not installed, or fails: Belfry's figures stand by themselves then.
  private func nchan(_ plan: FanOut.Plan, bodySize: Int) async throws -> FanOutFigures? {
    if let problem = NchanServer.problem {
      Progress.say("  ! \(problem); measured without it")
      return nil
    }
    let server = try await NchanServer.start(
      directory: "\(bench.directory)/nginx",
      connections: plan.crowd,
      bodySize: bodySize
    )
    var figures: FanOutFigures?
    do {
      figures = try await FanOut.measure(server, plan).figures
    } catch {
      Progress.say("  ! nchan could not be measured: \(error)")
    }
    await server.stop()
    return figures
  }
}
