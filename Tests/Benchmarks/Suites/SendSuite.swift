import Foundation
import LocalStack
import NotificationModel

/// Single sends through everything: `POST` to the gateway until FCM's simulator took the push and the app has the message.
struct SendSuite {
  let bench: Bench

  private static let rate = 500

  func measure() async throws {
    let users = try await bench.population().sample
    let load = try await Self.load(bench, users: users, connections: bench.options.clients)
    var tokens: [String] = []
    for user in users {
      tokens.append(try await bench.token(of: user))
    }
    let port = bench.stack.services(.inapp)[0].port
    let hub = NotificationArrivals()
    try await ClientFleet.with(.signalR(port: port, tokens: tokens), port: port, sink: hub) { fleet in
      try await fleet.open(0..<tokens.count)
      try await warmUp(load, hub)
      try await sustained(load, hub)
      try await latency(load, hub, users: users)
      guard fleet.report.lost == 0 else { throw BenchError("the hub closed \(fleet.report.lost) connections") }
    }
  }

  /// `POST /api/v1/notifications`, one user each, in turn.
  static func load(_ bench: Bench, users: [UserID], connections: Int) async throws -> LoadGenerator {
    let token = try await bench.serviceToken()
    let port = bench.stack.services(.gateway)[0].port
    return LoadGenerator(
      port: port,
      connections: connections,
      requests: users.map { user in
        let json = #"{"to":{"users":["\#(user)"]},\#(Self.content)}"#
        return LoadRequest.post("/api/v1/notifications", port: port, token: token, json: json)
      },
      status: 202,
      extract: .init(mark: "\"requestId\":\"", length: 36)
    )
  }

  /// Of a type that goes by push and in-app.
  static let type = 10
  static let content = #""type":\#(type),"data":{"amount":"$10.00","balance":"$42.00"}"#

  private func warmUp(_ load: LoadGenerator, _ hub: NotificationArrivals) async throws {
    let answers = try await load.closedLoop(seconds: 2)
    try await waitForArrival(of: answers.count, hub)
    _ = hub.takeAll()
    try await bench.simulator.reset()
  }

  private func sustained(_ load: LoadGenerator, _ hub: NotificationArrivals) async throws {
    let port = load.port
    let health = LoadGenerator(
      port: port,
      connections: load.connections,
      requests: [LoadRequest.get("/health/live", port: port)],
      status: 200
    )
    // Before and after the sends: the machine's speed changes meanwhile.
    let first = try await Self.alive(health)
    let before = ProcessSample.take()
    let answers = try await load.closedLoop(seconds: bench.options.seconds)
    try await waitForArrival(of: answers.count, hub)
    let after = ProcessSample.take()
    let second = try await Self.alive(health)
    let limit = (first.rate + second.rate) / 2
    let live = (first.microseconds + second.microseconds) / 2
    bench.add(Measurement(.send, "GET /health/live, \(load.connections) clients", limit, "/s"))
    bench.add(Measurement(.send, "gateway, CPU of GET /health/live", live, "µs"))
    let start = answers.map(\.due).min() ?? 0
    let pushed = try await bench.simulator.pushTimes().values.max() ?? 0
    let end = max(pushed, hub.takeAll().values.max() ?? 0)
    let wall = WallTime.seconds(from: start, to: end)
    bench.add(
      Measurement(
        .send,
        "sustained, \(load.connections) clients, all pushed and received",
        Double(answers.count) / wall,
        "/s",
        limit: ("GET /health/live", limit),
        budget: .shareAtLeast(0.13)
      )
    )
    bench.add(
      Measurement(.send, "accepted by the gateway meanwhile", answers.rate, "/s", limit: ("GET /health/live", limit))
    )
    let usage = UsageReport(
      .send,
      "sustained",
      notifications: answers.count,
      wallSeconds: wall,
      from: before,
      to: after
    )
    bench.add(usage)
    addCPU(usage, live: live)
    try await bench.addDuplicates(.send, "sustained")
    try await bench.simulator.reset()
  }

  private static let gateway = "belfry-gateway"

  /// How fast the gateway says that it is alive, and what that costs it.
  private static func alive(_ health: LoadGenerator) async throws -> (rate: Double, microseconds: Double) {
    let before = ProcessSample.take()
    let answers = try await health.closedLoop(seconds: 3)
    let usage = UsageReport(
      .send,
      "alive",
      notifications: answers.count,
      wallSeconds: 3,
      from: before,
      to: ProcessSample.take()
    )
    return (answers.rate, usage.entry(gateway)?.microsecondsEach ?? 0)
  }

  /// Where a send's time goes.
  ///
  /// - Parameter live: What the gateway takes to say that it is alive, in µs.
  private func addCPU(_ usage: UsageReport, live: Double) {
    for entry in usage.entries where entry.process != Self.gateway {
      bench.add(Measurement(.send, "\(entry.process), CPU of a single send", entry.microsecondsEach, "µs"))
    }
    let total = usage.entries.reduce(0) { $0 + $1.microsecondsEach }
    bench.add(Measurement(.send, "everything, CPU of a single send", total, "µs"))
    bench.add(
      Measurement(
        .send,
        "gateway, CPU of a single send",
        usage.entry(Self.gateway)?.microsecondsEach ?? .infinity,
        "µs",
        limit: ("GET /health/live", live),
        budget: .ratioAtMost(2.5)
      )
    )
  }

  private func latency(_ load: LoadGenerator, _ hub: NotificationArrivals, users: [UserID]) async throws {
    let before = ProcessSample.take()
    let answers = try await load.openLoop(rate: Self.rate, seconds: bench.options.seconds)
    try await waitForArrival(of: answers.count, hub)
    let after = ProcessSample.take()
    let pushes = try await bench.simulator.pushTimes()
    let arrivals = hub.takeAll()
    for (what, times) in [
      ("POST to 202", answers.latencies),
      ("POST to push accepted", try answers.latencies(until: pushes, of: users)),
      ("POST to received in the app", try answers.latencies(until: arrivals, of: users)),
    ] {
      for percent in [50.0, 99.0] {
        bench.add(
          Measurement(
            .send,
            "\(what) at \(Self.rate)/s, p\(Int(percent))",
            times.percentile(percent),
            "ms",
            budget: percent == 99 && what != "POST to 202" ? .atMost(50) : nil
          )
        )
      }
    }
    bench.add(
      UsageReport(
        .send,
        "\(Self.rate)/s",
        notifications: answers.count,
        wallSeconds: Double(bench.options.seconds),
        from: before,
        to: after
      )
    )
    try await bench.addDuplicates(.send, "at \(Self.rate)/s")
    try await bench.simulator.reset()
  }

  private func waitForArrival(of count: Int, _ hub: NotificationArrivals) async throws {
    try await Patience.wait(for: "\(count) pushes and hub messages", within: .seconds(120), every: .milliseconds(100)) {
      guard hub.count >= count else { return false }
      return try await bench.simulator.pushes().arrived >= count
    }
  }
}
