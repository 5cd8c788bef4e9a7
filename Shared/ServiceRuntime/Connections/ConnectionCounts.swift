import Logging
import NIOCore
import Synchronization

/// Counts the connections of each network, so that none takes them all.
final class ConnectionCounts: Sendable {
  private struct State {
    var counts: [ClientNetwork: Int] = [:]
    var refused = 0
    var loggedAt: NIODeadline?
  }

  private let maximum: Int
  private let logger: Logger
  private let state = Mutex(State())

  init(maximumPerNetwork maximum: Int, logger: Logger) {
    self.maximum = maximum
    self.logger = logger
  }

  /// Counts a connection in; false if its network has as many as it may.
  func admit(_ network: ClientNetwork, at now: NIODeadline = .now()) -> Bool {
    let refused = state.withLock { state -> Int? in
      let count = state.counts[network, default: 0]
      guard count >= maximum else {
        state.counts[network] = count + 1
        return nil
      }
      state.refused += 1
      // One line for many: whoever is refused may come a thousand times a second.
      guard state.loggedAt.map({ now - $0 >= .seconds(10) }) ?? true else { return 0 }
      defer { state.refused = 0 }
      state.loggedAt = now
      return state.refused
    }
    guard let refused else { return true }
    if refused > 0 {
      logger.warning(
        "connections are refused: one address has as many as it may",
        metadata: ["refused": "\(refused)", "maximum": "\(maximum)"]
      )
    }
    return false
  }

  func release(_ network: ClientNetwork) {
    state.withLock { state in
      guard let count = state.counts[network] else { return }
      state.counts[network] = count > 1 ? count - 1 : nil
    }
  }
}
