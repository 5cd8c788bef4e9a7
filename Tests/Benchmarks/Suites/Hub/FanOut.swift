import Foundation

/// Measures one server with a fleet of clients, step by step, so that two servers can take turns.
final class FanOut {
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

    /// Events that are timed one by one before it is the other server's turn.
    var rounds: Int { max(20, seconds * 5) }
  }

  /// How often it is each server's turn: what else happens on the machine meets all alike, and the connections are new ones.
  private static let turns = 6

  /// Events on their way at saturation.
  private static let window = 4
  /// Events before the timed ones.
  private static let warmUp = 5

  /// Lends a server's clients, none of them connected; checks at the end that each has got every event once and in order.
  static func with<Result>(
    _ server: any FanOutServer,
    _ plan: Plan,
    _ body: (FanOut) async throws -> Result
  ) async throws -> Result {
    let arrivals = EventArrivals(clients: plan.crowd)
    return try await ClientFleet.with(server.dialect, port: server.port, sink: arrivals) { fleet in
      let run = FanOut(server, fleet, arrivals, plan)
      let result = try await body(run)
      try run.checkOrder()
      return result
    }
  }

  private init(_ server: any FanOutServer, _ fleet: ClientFleet, _ arrivals: EventArrivals, _ plan: Plan) {
    self.server = server
    self.fleet = fleet
    self.arrivals = arrivals
    self.plan = plan
  }

  // MARK: Connections

  /// Connects the crowd, lets it be silent, and disconnects it.
  func connectAndIdle() async throws -> (FanOutFigures.Connects, FanOutFigures.Idle) {
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
    try await fleet.close(0..<plan.crowd)
    return (connects, idle)
  }

  // MARK: Events

  /// Disconnects whoever a failed measurement has left.
  func disconnect() async throws {
    if fleet.report.open > 0 { try await fleet.close(0..<plan.audience) }
  }

  /// Does something while the audience is connected, and has got some events.
  private func withAudience<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await fleet.open(0..<plan.audience)
    for _ in 0..<Self.warmUp { _ = try await round() }
    let result = try await body()
    try await fleet.close(0..<plan.audience)
    return result
  }

  /// Times events of all servers in turns.
  static func deliver(_ runs: [FanOut]) async throws -> [FanOutFigures.Delivery] {
    var times = Array(repeating: [[Int64]](), count: runs.count)
    for turn in 0..<turns {
      let order = Array(runs.enumerated())
      for (place, run) in turn.isMultiple(of: 2) ? order : order.reversed() {
        try await run.withAudience {
          for _ in 0..<run.plan.rounds { times[place].append(try await run.round()) }
        }
      }
    }
    return zip(runs, times).map { run, times in
      let delivery = FanOutFigures.Delivery(
        toLast: Latencies(times.map { $0.max() ?? 0 }),
        toEach: Latencies(times.joined())
      )
      let (middle, worst) = (delivery.toLast.percentile(50).text(0), delivery.toLast.percentile(99).text(0))
      run.say("an event reaches the last of \(run.plan.audience) after \(middle) ms, p99 \(worst) ms")
      return delivery
    }
  }

  /// Takes the number of an event; each has to reach everybody, in order.
  func nextNumber() -> Int {
    published += 1
    return published
  }

  /// Publishes one event and waits until everybody has it.
  ///
  /// - Returns: Nanoseconds from publishing to each arrival.
  func round() async throws -> [Int64] {
    let publish = try server.event(nextNumber())
    let wanted = published * plan.audience
    arrivals.record(plan.audience)
    let started = WallTime.now
    try await publish()
    try await arrive(wanted, every: .milliseconds(5))
    return arrivals.recorded().map { $0 - started }
  }

  /// Keeps some events on their way all the time.
  func saturate() async throws -> FanOutFigures.Saturation {
    try await withAudience {
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
      let rate = (count / seconds).figure
      let client = ((OwnProcess.cpuSeconds - own) * 1e6 / count).text(1)
      say("\(rate) messages/s of \(arrivals.bytesEach) bytes at saturation; the clients use \(client) µs each")
      return FanOutFigures.Saturation(perSecond: count / seconds, microsecondsEach: used * 1e6 / count)
    }
  }

  private func arrive(_ count: Int, every pause: Duration) async throws {
    try await Patience.wait(for: "\(count) messages of \(server.name)", within: .seconds(30), every: pause) {
      arrivals.count >= count
    }
  }

  /// Every client has received every event once and in order, and none has lost its connection.
  func check() throws {
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
