import BelfryClient

/// What the hub said on a connection until its client has dealt with it; a ``TestClock`` waits for that.
final class HubQueue: Sendable {
  private struct State: Sendable {
    var waiting = 0
    /// Whether the client is at work on a text.
    var isTaken = false
    var isOver = false
  }

  private let state = Locked(State())
  private let texts: AsyncThrowingStream<String, any Error>
  private let continuation: AsyncThrowingStream<String, any Error>.Continuation
  private let clock: TestClock?

  /// - Parameter onEnd: Called once either side has ended it.
  init(_ clock: TestClock?, onEnd: @escaping @Sendable () -> Void) {
    self.clock = clock
    (texts, continuation) = AsyncThrowingStream.makeStream()
    continuation.onTermination = { [weak self] _ in
      self?.release()
      onEnd()
    }
  }

  /// What the client reads. Whoever asks for the next text has dealt with the one before.
  var incoming: AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { [self] in
      handled()
      // All iterators of a stream take from the same texts.
      var iterator = texts.makeAsyncIterator()
      guard let text = try await iterator.next() else { return nil }
      state.withLock { $0.isTaken = true }
      return text
    }
  }

  func say(_ text: String) {
    let isOver = state.withLock { state in
      if !state.isOver { state.waiting += 1 }
      return state.isOver
    }
    if isOver { return }
    clock?.expect(1)
    continuation.yield(text)
  }

  /// Ends the connection; with an error, the line is cut. A second call does nothing.
  func end(_ error: BelfryError? = nil) {
    continuation.finish(throwing: error)
  }

  private func handled() {
    let isOne = state.withLock { state in
      guard state.isTaken, !state.isOver else { return false }
      state.isTaken = false
      state.waiting -= 1
      return true
    }
    if isOne { clock?.expect(-1) }
  }

  /// Nobody reads what is left.
  private func release() {
    let left = state.withLock { state in
      state.isOver = true
      defer { state.waiting = 0 }
      return state.waiting
    }
    clock?.expect(-left)
  }
}
