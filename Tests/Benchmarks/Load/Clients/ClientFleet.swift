import Synchronization

/// Up to tens of thousands of WebSocket clients on one thread: the same program for every server that is measured.
final class ClientFleet: Sendable {
  /// What the thread is asked to do.
  enum Order: Sendable {
    /// Connect these, at most so many at a time.
    case open(Range<Int>, atOnce: Int)
    case close(Range<Int>)
    /// From now on clients that lose their connection come back.
    case reconnect(ReconnectSchedule)
  }

  struct Shared {
    var orders: [Order] = []
    var isStopping = false
    var report = FleetReport()
  }

  let shared = Mutex(Shared())
  let poll: EventPoll

  private init() throws {
    poll = try EventPoll()
  }

  /// Lends a fleet of clients, none of them connected yet; at the end disconnects all.
  static func with<Result>(
    _ dialect: ClientDialect,
    port: Int,
    sink: any ArrivalSink,
    _ body: (ClientFleet) async throws -> Result
  ) async throws -> Result {
    let fleet = try ClientFleet()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          _ = try await Threads.run { _ in
            var loop = FleetLoop(fleet, dialect, port: port, sink: sink)
            try loop.run()
          }
        } catch {
          fleet.fail(error)
          throw error
        }
      }
      // Also when the group is left by an error: it waits for the thread.
      defer { fleet.stop() }
      let result = try await body(fleet)
      fleet.stop()
      try await group.waitForAll()
      return result
    }
  }

  var report: FleetReport { shared.withLock { $0.report } }

  /// Connects clients that are not connected, and waits until all are.
  ///
  /// - Returns: The seconds it took.
  /// - Throws: `BenchError` when one is refused.
  @discardableResult
  func open(_ clients: Range<Int>, atOnce: Int = 128) async throws -> Double {
    let wanted = report.open + clients.count
    let started = WallTime.now
    order(.open(clients, atOnce: atOnce))
    try await Patience.wait(for: "\(clients.count) connections", within: .seconds(120), every: .milliseconds(5)) {
      let report = report
      if report.failures > 0 { throw BenchError("a client could not connect: \(report.reason)") }
      return report.open == wanted
    }
    return WallTime.seconds(from: started, to: report.lastOpenedAt)
  }

  /// Disconnects clients.
  func close(_ clients: Range<Int>) async throws {
    let wanted = report.open - clients.count
    order(.close(clients))
    try await Patience.wait(for: "\(clients.count) disconnects", within: .seconds(10)) { report.open <= wanted }
  }

  func order(_ order: Order) {
    shared.withLock { $0.orders.append(order) }
    poll.ring()
  }

  /// Notifies those who wait that the thread has ended.
  private func fail(_ error: any Error) {
    shared.withLock {
      $0.report.failures += 1
      $0.report.reason = "\(error)"
    }
  }

  private func stop() {
    shared.withLock { $0.isStopping = true }
    poll.ring()
  }
}
