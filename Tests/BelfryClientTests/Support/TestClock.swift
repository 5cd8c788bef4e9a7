import BelfryClient
import Foundation

/// Time that stands still until a test moves it.
final class TestClock: ClientClock {
  private struct Sleeper: Sendable {
    let end: Date
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var next = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Guarded(State())

  var now: Date { state.withLock { $0.now } }

  /// How many wait.
  var sleeping: Int { state.withLock { $0.sleepers.count } }

  func sleep(for duration: Duration) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          let end = state.now.addingTimeInterval(duration / .seconds(1))
          state.sleepers[number] = Sleeper(end: end, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Wakes those whose time has come, the earliest first.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now.addTimeInterval(duration / .seconds(1))
      let due = state.sleepers.filter { $0.value.end <= state.now }.sorted { $0.value.end < $1.value.end }
      for (number, _) in due { state.sleepers[number] = nil }
      return due.map(\.value)
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Lets time pass in steps until something is so; false if it is not within the time.
  func passes(
    _ limit: Duration = .seconds(60),
    step: Duration = .milliseconds(50),
    until condition: () async throws -> Bool
  ) async rethrows -> Bool {
    let end = now.addingTimeInterval(limit / .seconds(1))
    while now < end {
      if try await settles(50, condition) { return true }
      advance(by: step)
    }
    return try await settles(10_000, condition)
  }
}

/// Lets others work until something is so; false if it is not after so many turns.
func settles(_ turns: Int = 100_000, _ condition: () async throws -> Bool) async rethrows -> Bool {
  for _ in 0..<turns {
    if try await condition() { return true }
    await Task.yield()
  }
  return false
}

/// A value behind a lock.
final class Guarded<Value: Sendable>: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
