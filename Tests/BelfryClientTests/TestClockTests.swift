import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct TestClockTests {
  private let clock = TestClock()

  @Test func `time passes from one sleeper to the next`() async {
    let clock = clock
    let start = clock.now
    let woken = Locked<[Double]>([])
    let task = Task {
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(10))
        woken.withLock { $0.append(clock.now.timeIntervalSince(start)) }
      }
    }
    await clock.advance(by: .seconds(25))
    #expect(woken.withLock { $0 } == [10, 20])
    #expect(clock.now.timeIntervalSince(start) == 25)
    #expect(clock.sleeping == 1)
    await clock.advance(by: .seconds(5))
    #expect(woken.withLock { $0 } == [10, 20, 30])
    try? await task.value
    #expect(clock.sleeping == 0)
  }

  @Test func `a jump wakes all whose time has come at its end`() async throws {
    let clock = clock
    let start = clock.now
    let task = Task {
      try await clock.sleep(for: .seconds(10))
      return clock.now.timeIntervalSince(start)
    }
    #expect(await settles { clock.sleeping == 1 })
    clock.jump(by: .seconds(3_600))
    #expect(try await task.value == 3_600)
  }

  @Test func `who is cancelled sleeps no more`() async {
    let clock = clock
    let task = Task { try await clock.sleep(for: .seconds(10)) }
    #expect(await settles { clock.sleeping == 1 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeping == 0)
    let second = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(10))
    }
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(clock.sleeping == 0)
  }

  @Test func `what never comes ends with the time`() async {
    let start = clock.now
    #expect(await clock.advance(upTo: .seconds(90)) { false } == false)
    #expect(clock.now.timeIntervalSince(start) == 90)
  }

  @Test func `a preview's clock leaves out short waits, and time goes on by them`() async throws {
    let clock = ImmediateClock()
    let start = (own: clock.now, real: ContinuousClock.now)
    for _ in 0..<60 { try await clock.sleep(for: .seconds(1)) }
    #expect(clock.now.timeIntervalSince(start.own) >= 60)
    #expect(ContinuousClock.now - start.real < .seconds(30))
    let long = Task { try await clock.sleep(for: .seconds(3_600)) }
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
  }
}
