import Synchronization

/// Counts deliveries, so that no event loop ends before those that were begun are over.
final class DeliveryGate: Sendable {
  private struct State {
    var inFlight = 0
    var isClosed = false
    var waiting: CheckedContinuation<Void, Never>?

    /// Who waits for the end, if it has come.
    mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
      guard isClosed, inFlight == 0 else { return nil }
      defer { waiting = nil }
      return waiting
    }
  }

  private let state = Mutex(State())

  /// - Returns: False once the gate is closed; otherwise ``leave()`` has to follow.
  func enter() -> Bool {
    state.withLock { state in
      if !state.isClosed { state.inFlight += 1 }
      return !state.isClosed
    }
  }

  func leave() {
    let waiting = state.withLock { state in
      state.inFlight -= 1
      return state.takeWaiting()
    }
    waiting?.resume()
  }

  /// Refuses deliveries from now on; returns when the last one in flight has left. The server calls it once, when its drain is
  /// over.
  func close() async {
    await withCheckedContinuation { continuation in
      let waiting = state.withLock { state in
        state.isClosed = true
        state.waiting = continuation
        return state.takeWaiting()
      }
      waiting?.resume()
    }
  }
}
