import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Router

/// The loop of the workers that look for what has come due. A rest of an hour is one that nobody waits for.
@Suite struct PollTests {
  private struct Failure: Error {}

  /// A poll under a service group's signals.
  private struct Worker: Service {
    let turn: @Sendable () async throws -> Bool

    func run() async {
      await Poll(interval: .seconds(3_600), logger: .quiet).drain("a turn failed", turn)
    }
  }

  /// - Returns: How many turns there were of a poll that is cancelled within the turn of that number, unless it ends before.
  private func turns(
    of poll: Poll,
    cancelledIn last: Int,
    _ turn: @escaping @Sendable (Int) throws -> Bool
  ) async throws -> Int {
    try await withDeadline {
      var turns = 0
      await poll.drain("a turn failed") {
        turns += 1
        if turns == last { withUnsafeCurrentTask { $0?.cancel() } }
        return try turn(turns)
      }
      return turns
    }
  }

  /// Runs until the turn has begun, and is shut down then.
  private func shutDown(_ turn: @escaping @Sendable () async throws -> Bool) async throws {
    let (beginnings, begun) = AsyncStream<Void>.makeStream()
    let worker = Worker {
      begun.yield()
      return try await turn()
    }
    let group = ServiceGroup(services: [worker], gracefulShutdownSignals: [], logger: .quiet)
    try await withDeadline {
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        for await _ in beginnings { break }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
    }
  }

  @Test func `turns that leave something follow each other without a rest, until the poll is cancelled`() async throws {
    let poll = Poll(interval: .seconds(3_600), logger: .quiet)
    #expect(try await turns(of: poll, cancelledIn: 5) { _ in true } == 5)
  }

  @Test func `after the rest it looks again`() async throws {
    let poll = Poll(interval: .zero, logger: .quiet)
    #expect(try await turns(of: poll, cancelledIn: 4) { $0 == 2 } == 4)
  }

  @Test func `after a turn that leaves nothing it rests, and a shutdown ends the rest`() async throws {
    let turns = Mutex(0)
    try await shutDown {
      turns.withLock { $0 += 1 }
      return false
    }
    #expect(turns.withLock(\.self) == 1)
  }

  @Test func `a shutdown lets the turn end, and begins no other`() async throws {
    let ended = Mutex(0)
    try await shutDown {
      try await gracefulShutdown()
      ended.withLock { $0 += 1 }
      return true
    }
    #expect(ended.withLock(\.self) == 1)
  }

  @Test func `a failure is logged and the turn is tried again; a cancellation is none`() async throws {
    let log = LogRecorder()
    let poll = Poll(interval: .zero, logger: log.logger, level: .error, firstPause: .zero)
    #expect(
      try await turns(of: poll, cancelledIn: .max) { turn in
        if turn == 3 { throw CancellationError() }
        throw Failure()
      } == 3
    )
    #expect(log.all.map(\.level) == [.error, .error])
    #expect(log.all.allSatisfy { $0.text.contains("a turn failed, trying again") && $0.text.contains("Failure") })
  }

  @Test func `the pause after a failure ends when the poll is cancelled`() async throws {
    let poll = Poll(interval: .zero, logger: .quiet, firstPause: .seconds(3_600))
    #expect(try await turns(of: poll, cancelledIn: 1) { _ in throw Failure() } == 1)
  }
}
