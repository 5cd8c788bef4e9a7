import Synchronization

/// Lets one at a time at the dead letters: what somebody looks at is not there for others meanwhile.
final class DeadLetterTurn: Sendable {
  private let isTaken = Mutex(false)

  func take<Value>(_ body: () async throws -> Value) async throws -> Value {
    let isMine = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard isMine else { throw Problem.unavailable("somebody else is at the dead letters") }
    defer { isTaken.withLock { $0 = false } }
    return try await body()
  }
}
