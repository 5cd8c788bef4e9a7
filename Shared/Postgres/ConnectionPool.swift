import Synchronization
import DequeModule

/// Which connections are up, who uses them and who waits for one. A pure value: `PostgresClient` keeps it under a lock
/// and carries out what it returns.
struct ConnectionPool {
  enum Phase {
    /// `run` may still begin.
    case notClosing
    /// No new callers; connections close as they become idle.
    case closing
  }

  enum Choice {
    case connection(PostgresConnection)
    case wait
    case overloaded
    case closed
  }

  enum Use: Sendable {
    case shared
    case exclusive
  }

  /// What a waiting caller gets.
  enum Turn: Sendable {
    /// A connection of its own.
    case borrowed(PostgresConnection)
    /// Something is up: choose again.
    case chooseAgain
    case failed(PostgresError)
  }

  struct Waiter {
    let id: UInt64
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Turn, Never>
  }

  struct Slot {
    var connection: PostgresConnection?
    var isBorrowed = false

    /// The connection, unless it has just been closed.
    var open: PostgresConnection? {
      guard let connection, !connection.isClosed.load(ordering: .acquiring) else { return nil }
      return connection
    }
  }

  private(set) var phase = Phase.notClosing
  private(set) var slots: [Slot]
  private var sharing: Deque<Waiter> = []
  private var borrowing: Deque<Waiter> = []
  private var lastID: UInt64 = 0
  private let maximumWaiting: Int
  var lastConnectError: PostgresError?
  var isRunning = false
  /// Whether a timer will look for waiters whose time is up.
  var isSweepScheduled = false

  init(connections: Int, maximumWaiting: Int) {
    slots = Array(repeating: Slot(), count: connections)
    self.maximumWaiting = maximumWaiting
  }

  var isReady: Bool {
    phase == .notClosing && slots.contains { $0.open != nil }
  }

  /// The connections that are up.
  var connections: [PostgresConnection] { slots.compactMap(\.connection) }

  // MARK: Choosing

  /// The connection a caller should use; for exclusive use it is marked as borrowed.
  mutating func choose(_ use: Use) -> Choice {
    guard phase == .notClosing else { return .closed }
    switch use {
    case .shared:
      var best: PostgresConnection?
      var least = Int.max
      for slot in slots where !slot.isBorrowed {
        guard let connection = slot.open else { continue }
        let load = connection.load.load(ordering: .relaxed)
        if load < least {
          least = load
          best = connection
        }
      }
      if let best { return least < maximumWaiting ? .connection(best) : .overloaded }
      return sharing.count < maximumWaiting * slots.count ? .wait : .overloaded
    case .exclusive:
      if borrowing.isEmpty, let connection = borrow() { return .connection(connection) }
      return borrowing.count < maximumWaiting ? .wait : .overloaded
    }
  }

  /// The least loaded connection, if one may leave the shared ones.
  private mutating func borrow() -> PostgresConnection? {
    let free = slots.indices.filter { !slots[$0].isBorrowed && slots[$0].open != nil }
    guard free.count > 1 || (slots.count == 1 && free.count == 1) else { return nil }
    let chosen = free.min { load(of: $0) < load(of: $1) }!
    slots[chosen].isBorrowed = true
    return slots[chosen].connection
  }

  private func load(of slot: Int) -> Int {
    slots[slot].connection?.load.load(ordering: .relaxed) ?? .max
  }

  // MARK: Waiting

  mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// What somebody finds who chose to wait; nil if there is nothing but to wait. To be asked in one go with
  /// ``append(_:for:)``: what came up since the choice has woken nobody.
  mutating func turn(for use: Use) -> Turn? {
    switch choose(use) {
    case .connection(let connection): use == .exclusive ? .borrowed(connection) : .chooseAgain
    case .wait: nil
    case .overloaded: .failed(PostgresError(.overloaded))
    case .closed: .failed(PostgresError(.closed))
    }
  }

  /// By deadline: who chooses again keeps its own.
  mutating func append(_ waiter: Waiter, for use: Use) {
    func place(in waiters: Deque<Waiter>) -> Int {
      waiters.lastIndex { $0.deadline <= waiter.deadline }.map { $0 + 1 } ?? 0
    }
    switch use {
    case .shared: sharing.insert(waiter, at: place(in: sharing))
    case .exclusive: borrowing.insert(waiter, at: place(in: borrowing))
    }
  }

  mutating func remove(_ id: UInt64) -> Waiter? {
    if let index = sharing.firstIndex(where: { $0.id == id }) { return sharing.remove(at: index) }
    if let index = borrowing.firstIndex(where: { $0.id == id }) { return borrowing.remove(at: index) }
    return nil
  }

  /// Everybody whose time is up: they are at the front.
  mutating func removeExpired(at now: ContinuousClock.Instant) -> [Waiter] {
    var expired: [Waiter] = []
    while let first = sharing.first, first.deadline <= now { expired.append(sharing.removeFirst()) }
    while let first = borrowing.first, first.deadline <= now { expired.append(borrowing.removeFirst()) }
    return expired
  }

  var earliestDeadline: ContinuousClock.Instant? {
    [sharing.first, borrowing.first].compactMap { $0?.deadline }.min()
  }

  /// Why a waiting caller got no connection.
  var expiry: PostgresError {
    isReady ? PostgresError(.overloaded) : lastConnectError ?? PostgresError(.cannotConnect)
  }

  /// Those whose turn has come, to be resumed outside the lock.
  private mutating func turns() -> [(Waiter, Turn)] {
    var turns: [(Waiter, Turn)] = []
    while !borrowing.isEmpty, let connection = borrow() {
      turns.append((borrowing.removeFirst(), .borrowed(connection)))
    }
    if slots.contains(where: { !$0.isBorrowed && $0.open != nil }) {
      turns += sharing.map { ($0, .chooseAgain) }
      sharing.removeAll()
    }
    return turns
  }

  // MARK: Connections come and go

  /// A connection is open. Nil if the pool is closing and it should be closed again.
  mutating func opened(_ connection: PostgresConnection, slot: Int) -> [(Waiter, Turn)]? {
    guard phase == .notClosing else { return nil }
    slots[slot] = Slot(connection: connection)
    return turns()
  }

  mutating func lost(slot: Int) {
    slots[slot] = Slot()
  }

  /// A borrower is done. The slot may have a new connection by now; then there is nothing to give back.
  mutating func giveBack(_ connection: PostgresConnection) -> [(Waiter, Turn)] {
    guard let slot = slots.firstIndex(where: { $0.connection === connection }) else { return [] }
    slots[slot].isBorrowed = false
    return phase == .notClosing ? turns() : []
  }

  /// No more callers: everybody who waits for a connection is turned away.
  mutating func beginClosing() -> [(Waiter, Turn)] {
    phase = .closing
    defer {
      sharing.removeAll()
      borrowing.removeAll()
    }
    return (sharing + borrowing).map { ($0, .failed(PostgresError(.closed))) }
  }
}
