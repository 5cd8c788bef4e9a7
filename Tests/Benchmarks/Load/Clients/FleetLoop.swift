import CEpoll
import Glibc
import Synchronization

/// The thread of a ``ClientFleet``: connects, shakes hands, reads, pings and reconnects for all its clients.
struct FleetLoop {
  /// Each client pings once within it, as SignalR's do; they don't all do it at the same moment.
  private static let pingInterval: Int64 = 15_000_000_000
  private static let tickInterval: Int64 = 20_000_000
  /// From this size on the thread rests for so many nanoseconds whenever it has caught up. Woken for each message alone it would
  /// cost the servers, on the same processors, more than they cost themselves; arrivals are seen that much later at most.
  private static let crowd = 1_000
  private static let rest: Int64 = 500_000

  let fleet: ClientFleet
  let dialect: ClientDialect
  let port: Int
  let sink: any ArrivalSink
  var clients: [FleetClient]
  var schedule: ReconnectSchedule?
  var report = FleetReport()
  /// Clients in the middle of an attempt.
  var trying = 0
  /// Clients between two attempts.
  var waiting = 0
  /// Clients yet to be connected, and how many at a time.
  private var queue = 0..<0
  private var atOnce = 0
  private var tickedAt = WallTime.now
  /// How far the round of pings has come, as a fraction of a client.
  private var pinged = 0.0

  init(_ fleet: ClientFleet, _ dialect: ClientDialect, port: Int, sink: any ArrivalSink) {
    self.fleet = fleet
    self.dialect = dialect
    self.port = port
    self.sink = sink
    clients = Array(repeating: FleetClient(), count: dialect.requests.count)
  }

  /// Works until the fleet is stopped.
  mutating func run() throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1_024, alignment: 16)
    defer {
      for client in clients where client.socket >= 0 { Glibc.close(client.socket) }
      buffer.deallocate()
    }
    var events = [epoll_event](repeating: epoll_event(), count: 1_024)
    while obey() {
      while trying < atOnce, let next = queue.popFirst() { try connect(next) }
      let ready = fleet.poll.wait(into: &events, atMost: 20)
      for index in 0..<ready {
        let tag = events[index].data.u64
        let number = Int(UInt32(truncatingIfNeeded: tag))
        guard tag != EventPoll.bellTag, clients[number].generation == UInt32(tag >> 32) else { continue }
        if clients[number].phase == .connecting { finishConnecting(number) } else { receive(number, buffer) }
      }
      let now = WallTime.now
      if now - tickedAt >= Self.tickInterval { try tick(now) }
      if clients.count >= Self.crowd, ready < events.count / 4 {
        WallTime.sleep(until: WallTime.now + Self.rest)
      }
    }
  }

  /// Reports how things stand, and takes the orders.
  ///
  /// - Returns: False when the fleet is stopped.
  private mutating func obey() -> Bool {
    let report = report
    let (orders, isStopping) = fleet.shared.withLock { shared in
      defer { shared.orders = [] }
      shared.report = report
      return (shared.orders, shared.isStopping)
    }
    for order in orders {
      switch order {
      case .open(let clients, let atOnce): (queue, self.atOnce) = (clients, atOnce)
      case .close(let range): for number in range { close(number) }
      case .reconnect(let schedule): self.schedule = schedule
      }
    }
    return !isStopping
  }

  // MARK: Time

  private mutating func tick(_ now: Int64) throws {
    if trying + waiting > 0 {
      for number in clients.indices where clients[number].dueAt <= now {
        if clients[number].phase == .waiting {
          waiting -= 1
          try connect(number)
        } else if clients[number].isTrying {
          end(number, "it took too long")
        }
      }
    }
    if !dialect.ping.isEmpty { ping(for: now - tickedAt) }
    tickedAt = now
  }

  /// Lets those ping whose turn it is after so many nanoseconds more.
  private mutating func ping(for elapsed: Int64) {
    let share = Double(clients.count) * min(1, Double(elapsed) / Double(Self.pingInterval))
    for turn in Int(pinged)..<Int(pinged + share) {
      let client = clients[turn % clients.count]
      if client.phase == .open { send(dialect.ping, client.socket) }
    }
    pinged = (pinged + share).truncatingRemainder(dividingBy: Double(clients.count))
  }
}
