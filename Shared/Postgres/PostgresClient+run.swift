import DriverExecutor
import Dispatch
import Logging
import ServiceLifecycle
import Synchronization

extension PostgresClient {
  /// Opens the connections and keeps them open until graceful shutdown or cancellation. Call it once.
  ///
  /// The server need not be there yet: attempts are repeated with growing, jittered pauses. On graceful shutdown new
  /// callers get `.closed`, those who wait get their answers, and then `run` returns; cancellation answers them with
  /// `.connectionLost`. Throws `.invalidConfiguration`, nothing else.
  public func run() async throws {
    try configuration.validate()
    let isFirst = pool.withLock { pool in
      defer { pool.isRunning = true }
      return !pool.isRunning
    }
    guard isFirst else { throw PostgresError(.invalidConfiguration, "run() was called twice") }
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        for slot in 0..<configuration.connections {
          group.addTask { await self.keepOpen(slot) }
        }
        do {
          try await gracefulShutdown()
        } catch {
          // Cancelled: the handler below closes everything at once.
        }
        await drain()
        group.cancelAll()  // ends attempts to connect and the pauses between them
        await group.waitForAll()
      }
    } onCancel: {
      resume(pool.withLock { $0.beginClosing() })
      for connection in pool.withLock(\.connections) { close(connection) }
    }
  }

  /// Turns new callers away, and lets each connection close when its callers have been answered.
  private func drain() async {
    let (turns, idle) = pool.withLock { pool in
      (pool.beginClosing(), pool.slots.filter { !$0.isBorrowed }.compactMap(\.connection))
    }
    resume(turns)
    for connection in idle { await connection.closeWhenIdle() }
  }

  private func close(_ connection: PostgresConnection) {
    connection.executor.queue.async { connection.assumeIsolated { $0.close() } }
  }

  private func keepOpen(_ slot: Int) async {
    var failures = 0
    while !Task.isCancelled {
      do {
        let connection = try await PostgresConnection.open(
          configuration,
          label: "belfry.postgres.\(slot)",
          logger: logger
        )
        if failures > 0 { logger.info("connected to PostgreSQL again") }
        failures = 0
        guard let turns = pool.withLock({ $0.opened(connection, slot: slot) }) else {
          await connection.close()
          return
        }
        resume(turns)
        await connection.waitUntilClosed()
        pool.withLock { $0.lost(slot: slot) }
      } catch {
        guard !Task.isCancelled else { return }
        failures += 1
        pool.withLock { $0.lastConnectError = error }
        // Powers of two: enough to see it, not enough to fill a disk.
        if failures & (failures - 1) == 0 {
          logger.warning("\(error)", metadata: ["attempt": "\(failures)", "connection": "\(slot)"])
        }
        await pause(after: failures)
      }
    }
  }

  /// From 50 ms, doubling to 2 s, less up to half so that connections and processes do not come in step.
  private func pause(after failures: Int) async {
    let milliseconds = min(2_000, 50 << min(failures - 1, 10))
    do {
      try await Task.sleep(for: .milliseconds(Int.random(in: milliseconds / 2...milliseconds)))
    } catch {
      // Cancelled: the caller's loop sees it.
    }
  }
}
