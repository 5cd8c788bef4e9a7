import Foundation

/// Measures one server with a fleet of clients.
struct FanOut {
  let server: any FanOutServer
  let fleet: ClientFleet
  let arrivals: EventArrivals
  let plan: Plan
  private var published = 0

  struct Plan: Sendable {
    /// Connections for memory and connecting.
    var crowd: Int
    /// Connections for events.
    var audience: Int
    var seconds: Int
  }

  /// Events on their way at saturation.
  private static let window = 4

  /// Everything about one server.
  ///
  /// - Parameter last: What else is to be done while the audience is connected.
  static func measure(
    _ server: any FanOutServer,
    _ plan: Plan,
    finally last: (inout FanOut) async throws -> Void = { _ in }
  ) async throws -> (figures: FanOutFigures, bytesEach: Int) {
    let arrivals = EventArrivals(clients: plan.crowd)
    return try await ClientFleet.with(server.dialect, port: server.port, sink: arrivals) { fleet in
      var run = FanOut(server, fleet, arrivals, plan)
      var figures = FanOutFigures()
      (figures.connects, figures.idle) = try await run.connectAndIdle()
      try await fleet.close(plan.audience..<plan.crowd)
      figures.delivery = try await run.deliver()
      figures.saturation = try await run.saturate()
      try run.check()
      try await last(&run)
      return (figures, arrivals.bytesEach)
    }
  }

  private init(_ server: any FanOutServer, _ fleet: ClientFleet, _ arrivals: EventArrivals, _ plan: Plan) {
    self.server = server
    self.fleet = fleet
    self.arrivals = arrivals
    self.plan = plan
  }

  // MARK: Connections

  private func connectAndIdle() async throws -> (FanOutFigures.Connects, FanOutFigures.Idle) {
    // What a server makes once, at its first clients, is not a connection's.
    try await fleet.open(0..<100)
    try await fleet.close(0..<100)
    let empty = try ServerSample.take(server.processes)
    let seconds = try await fleet.open(0..<plan.crowd)
    let full = try ServerSample.take(server.processes)
    let count = Double(plan.crowd)
    let connects = FanOutFigures.Connects(
      perSecond: count / seconds,
      microsecondsEach: (full.cpuSeconds - empty.cpuSeconds) * 1e6 / count
    )
    // Long enough for two rounds of pings from each side.
    let period = Double(plan.seconds) * 3.5
    say("\(plan.crowd) connected in \(seconds.text(1)) s; now \(Int(period)) s of silence")
    let started = WallTime.now
    try await Task.sleep(for: .seconds(period))
    let after = try ServerSample.take(server.processes)
    let idle = FanOutFigures.Idle(
      kilobytes: Double(after.residentBytes - empty.residentBytes) / count / 1_024,
      microseconds: (after.cpuSeconds - full.cpuSeconds) * 1e6 / count
        / WallTime.seconds(from: started, to: WallTime.now)
    )
    say("\(idle.kilobytes.text(2)) KB and \(idle.microseconds.text(2)) µs of CPU a second for each")
    return (connects, idle)
  }

  // MARK: Events

  private mutating func deliver() async throws -> FanOutFigures.Delivery {
    for _ in 0..<10 { _ = try await round() }
    var toLast: [Int64] = []
    var toEach: [Int64] = []
    for _ in 0..<max(50, plan.seconds * 10) {
      let times = try await round()
      toLast.append(times.max() ?? 0)
      toEach += times
    }
    let delivery = FanOutFigures.Delivery(toLast: Latencies(toLast), toEach: Latencies(toEach))
    let (middle, worst) = (delivery.toLast.percentile(50).text(0), delivery.toLast.percentile(99).text(0))
    say("an event reaches the last of \(plan.audience) after \(middle) ms, p99 \(worst) ms")
    return delivery
  }

  /// Takes the number of an event; each has to reach everybody, in order.
  mutating func nextNumber() -> Int {
    published += 1
    return published
  }

  /// Publishes one event and waits until everybody has it.
  ///
  /// - Returns: Nanoseconds from publishing to each arrival.
  mutating func round() async throws -> [Int64] {
    let publish = try server.event(nextNumber())
    let wanted = published * plan.audience
    arrivals.record(plan.audience)
    let started = WallTime.now
    try await publish()
    try await arrive(wanted, every: .milliseconds(5))
    return arrivals.recorded().map { $0 - started }
  }

  private mutating func saturate() async throws -> FanOutFigures.Saturation {
    let before = try ServerSample.take(server.processes)
    let (first, started, own) = (arrivals.count, WallTime.now, OwnProcess.cpuSeconds)
    let end = started + Int64(plan.seconds) * 1_000_000_000
    while WallTime.now < end {
      let publish = try server.event(nextNumber())
      try await arrive((published - Self.window) * plan.audience, every: .milliseconds(1))
      try await publish()
    }
    try await arrive(published * plan.audience, every: .milliseconds(1))
    let seconds = WallTime.seconds(from: started, to: WallTime.now)
    let used = try ServerSample.take(server.processes).cpuSeconds - before.cpuSeconds
    let count = Double(arrivals.count - first)
    let client = ((OwnProcess.cpuSeconds - own) * 1e6 / count).text(1)
    say(
      "\((count / seconds).figure) messages/s of \(arrivals.bytesEach) bytes at saturation; the clients use \(client) µs each"
    )
    return FanOutFigures.Saturation(perSecond: count / seconds, microsecondsEach: used * 1e6 / count)
  }

  private func arrive(_ count: Int, every pause: Duration) async throws {
    try await Patience.wait(for: "\(count) messages of \(server.name)", within: .seconds(30), every: pause) {
      arrivals.count >= count
    }
  }

  /// Every client has received every event once and in order, and none has lost its connection.
  private func check() throws {
    try checkOrder()
    guard fleet.report.lost == 0 else { throw BenchError("\(server.name) closed \(fleet.report.lost) connections") }
  }

  /// Every client has received every event once and in order.
  func checkOrder() throws {
    guard arrivals.misplaced == 0 else { throw BenchError("\(arrivals.misplaced) messages were lost or out of order") }
  }

  func say(_ text: String) {
    Progress.say("  … \(server.name): \(text)")
  }
}
