import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite struct StopNoticeTests {
  /// Runs until it is told to stop, and notes that it was.
  private final class Worker: Service {
    private let begin: @Sendable () -> Void
    private let stopped = Atomic(false)

    init(begin: @escaping @Sendable () -> Void) { self.begin = begin }

    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func run() async throws {
      begin()
      try await gracefulShutdown()
      stopped.store(true, ordering: .relaxed)
    }
  }

  @Test func `what comes before it in the order goes on until the time is over, and the notice is given at once`()
    async throws
  {
    let (beginnings, begun) = AsyncStream<Void>.makeStream()
    let (waits, waiting) = AsyncStream<Void>.makeStream()
    let (overs, over) = AsyncStream<Void>.makeStream()
    let notice = StopNotice {
      waiting.yield()
      for await _ in overs { break }
    }
    let worker = Worker { begun.yield() }
    let group = ServiceGroup(services: [worker, notice], logger: .quiet)
    #expect(!notice.isGiven)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      // Before that the group would take the shutdown for its end.
      for await _ in beginnings { break }
      await group.triggerGracefulShutdown()
      for await _ in waits { break }
      #expect(notice.isGiven)
      #expect(!worker.isStopped)
      over.yield()
      try await tasks.waitForAll()
    }
    #expect(worker.isStopped)
  }
}
