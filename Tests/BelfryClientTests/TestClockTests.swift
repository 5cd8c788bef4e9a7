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
    let clock = ImmediateClock(upTo: .seconds(3_600))
    let start = clock.now
    for _ in 0..<10 { try await clock.sleep(for: .seconds(3_600)) }
    #expect(clock.now.timeIntervalSince(start) >= 36_000)
    let long = Task { try await clock.sleep(for: .seconds(3_601)) }
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
    let none = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await none.value }
  }

  @Test(.timeLimit(.minutes(1))) func `who sleeps for no time again and again does not hold it up`() async {
    let (clock, start) = (clock, clock.now)
    let task = Task { while true { try await clock.sleep(for: .zero) } }
    #expect(await clock.advance { false } == false)
    #expect(clock.now.timeIntervalSince(start) == 60)
    task.cancel()
  }

  @Test(.timeLimit(.minutes(1))) func `nor does who never rests`() async {
    let clock = TestClock(longestWork: .milliseconds(200))
    let start = clock.now
    let task = Task { [clock] in
      // A loop that does not notice that it was cancelled.
      withUnsafeCurrentTask { $0?.cancel() }
      while clock.now.timeIntervalSince(start) < 60 { try? await clock.sleep(for: .seconds(1)) }
    }
    #expect(await clock.advance { false } == false)
    #expect(clock.now.timeIntervalSince(start) == 60)
    await task.value
  }

  @Test(.timeLimit(.minutes(1))) func `what nobody deals with is waited for once`() async {
    clock.expect(1)
    let begin = ContinuousClock.now
    #expect(await clock.advance(upTo: .seconds(300)) { false } == false)
    #expect(ContinuousClock.now - begin < .seconds(30))
  }

  @Test func `nobody sleeps too long for this device`() async {
    let task = Task { try await SystemClock().sleep(for: .seconds(Int64.max)) }
    try? await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
