import Synchronization
import Testing

@testable import Dispatching

@Suite struct PermitsTests {
  /// How many are inside, and how many were at most.
  private struct Count {
    var inside = 0
    var highest = 0
    var finished = 0
  }

  @Test(.timeLimit(.minutes(1)))
  func `never more than the permits are taken, and everybody gets a turn`() async {
    let permits = Permits(count: 3)
    let count = CountBox()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          await permits.withPermit {
            count.enter()
            for _ in 0..<5 { await Task.yield() }
            count.leave()
          }
        }
      }
    }
    #expect(count.highest <= 3)
    #expect(count.finished == 200)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a permit is handed to the next who waits`() async {
    let permits = Permits(count: 1)
    let (inside, reportInside) = AsyncStream.makeStream(of: Int.self)
    let (gate, openGate) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await permits.withPermit {
          reportInside.yield(1)
          for await _ in gate { break }
        }
      }
      var reports = inside.makeAsyncIterator()
      #expect(await reports.next() == 1)
      group.addTask { await permits.withPermit { _ = reportInside.yield(2) } }
      openGate.yield()
      #expect(await reports.next() == 2)
      await group.waitForAll()
    }
  }

  /// Counts from several tasks at once.
  private final class CountBox: Sendable {
    private let state = Mutex(Count())

    func enter() {
      state.withLock {
        $0.inside += 1
        $0.highest = max($0.highest, $0.inside)
      }
    }

    func leave() {
      state.withLock {
        $0.inside -= 1
        $0.finished += 1
      }
    }

    var highest: Int { state.withLock { $0.highest } }
    var finished: Int { state.withLock { $0.finished } }
  }
}

extension Permits {
  fileprivate func withPermit<Value>(_ body: () async -> Value) async -> Value {
    await acquire()
    defer { release() }
    return await body()
  }
}
