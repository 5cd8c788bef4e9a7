import Dispatch
import Synchronization

extension PostgresClient {
  /// The least loaded connection, or one that is the caller's own until it is given back. Waits up to the connect
  /// timeout.
  func connection(for use: ConnectionPool.Use) async throws(PostgresError) -> PostgresConnection {
    var deadline: ContinuousClock.Instant?
    while true {
      switch pool.withLock({ $0.choose(use) }) {
      case .connection(let connection): return connection
      case .overloaded: throw PostgresError(.overloaded)
      case .closed: throw PostgresError(.closed)
      case .wait:
        let until = deadline ?? .now + configuration.connectTimeout
        deadline = until
        switch await turn(for: use, until: until) {
        case .borrowed(let connection): return connection
        case .failed(let error): throw error
        case .chooseAgain: continue
        }
      }
    }
  }

  private func turn(for use: ConnectionPool.Use, until deadline: ContinuousClock.Instant) async -> ConnectionPool.Turn {
    let id = pool.withLock { $0.newID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let early: ConnectionPool.Turn? = pool.withLock { pool in
          // Under the lock: whoever is cancelled later than this is found among the waiting.
          if Task.isCancelled { return .failed(PostgresError(.cancelled)) }
          if let turn = pool.turn(for: use) { return turn }
          pool.append(.init(id: id, deadline: deadline, continuation: continuation), for: use)
          return nil
        }
        if let early { continuation.resume(returning: early) } else { scheduleSweep() }
      }
    } onCancel: {
      pool.withLock { $0.remove(id) }?.continuation.resume(returning: .failed(PostgresError(.cancelled)))
    }
  }

  /// One timer for all who wait, set for the first whose time is up.
  private func scheduleSweep() {
    let delay: Duration? = pool.withLock { pool in
      guard !pool.isSweepScheduled, let deadline = pool.earliestDeadline else { return nil }
      pool.isSweepScheduled = true
      return deadline - .now
    }
    guard let delay else { return }
    let milliseconds = delay > .zero ? delay.wholeMilliseconds + 1 : 0
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in
      let (expired, error) = pool.withLock { pool in
        pool.isSweepScheduled = false
        return (pool.removeExpired(at: .now), pool.expiry)
      }
      for waiter in expired { waiter.continuation.resume(returning: .failed(error)) }
      scheduleSweep()
    }
  }

  /// Resumes whose turn it is, outside the pool's lock.
  func resume(_ turns: [(ConnectionPool.Waiter, ConnectionPool.Turn)]) {
    for (waiter, turn) in turns { waiter.continuation.resume(returning: turn) }
  }
}
