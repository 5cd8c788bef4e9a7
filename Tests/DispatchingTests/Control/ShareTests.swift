import Logging
import NotificationQueue
import Synchronization
import TestSupport
import Testing

@testable import Dispatching

/// A queue whose consumers cannot be counted at times.
@Suite(.timeLimit(.minutes(1))) struct ShareTests {
  private struct NotCounted: Error {}

  /// What is logged while these counts are asked for, nil where there is none.
  private func logged(_ counts: [Int?]) async throws -> (entries: [LogRecorder.Entry], consumers: Int) {
    let log = LogRecorder()
    var timing = DispatchTiming()
    timing.shareInterval = .milliseconds(1)
    let channel = ScriptedChannel(control: ControlSettings(quotaPerMinute: 600)) { target, _ in
      .delivered(providerID: target)
    }
    let worker = DispatchBench().worker(channel, timing: timing, logger: log.logger)
    await withTaskGroup { group in
      group.addTask {
        let asked = Mutex(0)
        await worker.followShare {
          let number = asked.withLock { asked in
            defer { asked += 1 }
            return asked
          }
          guard number < counts.count else {
            withUnsafeCurrentTask { $0?.cancel() }
            throw CancellationError()
          }
          guard let count = counts[number] else { throw NotCounted() }
          return count
        }
      }
    }
    return (log.all.filter { $0.level >= .notice }, worker.limit.control.consumers)
  }

  @Test func `if they cannot be counted it is told once, and once that they can again`() async throws {
    let (entries, consumers) = try await logged([3, nil, nil, nil, nil, nil, 4, 4])
    #expect(entries.map(\.level) == [.warning, .notice])
    #expect(entries.first?.text.contains("together they may exceed it") == true)
    #expect(consumers == 4)
  }

  @Test func `of two failures in a row nothing is told, and the last number counts`() async throws {
    let (entries, consumers) = try await logged([3, nil, nil, 3, nil, nil])
    #expect(entries.isEmpty)
    #expect(consumers == 3)
  }
}
