import Foundation
import Synchronization

/// What was taken already, for at least as long as a proof is good: so that nobody plays it again. Each process remembers its own.
final class RememberedTokens: Sendable {
  private struct State {
    var current: Set<String> = []
    var former: Set<String> = []
    var since = Date.distantPast
  }

  /// Longer than twice the tolerance of clocks.
  private static let span: TimeInterval = 900
  private let maximum: Int
  private let state = Mutex(State())

  /// - Parameter maximum: Of each of two generations; only who proves themselves adds any.
  init(maximum: Int = 50_000) {
    self.maximum = maximum
  }

  /// False if it was taken before.
  func take(_ token: String, at now: Date) -> Bool {
    state.withLock { state in
      if now.timeIntervalSince(state.since) >= Self.span || state.current.count >= maximum {
        // Two spans without any: neither generation counts.
        state.former = now.timeIntervalSince(state.since) >= 2 * Self.span ? [] : state.current
        state.current = []
        state.since = now
      }
      guard !state.former.contains(token) else { return false }
      return state.current.insert(token).inserted
    }
  }

  /// Forgets it again: what it came with could not be kept, and will be sent anew.
  func giveBack(_ token: String) {
    state.withLock { state in
      state.current.remove(token)
      state.former.remove(token)
    }
  }
}

/// How far clocks may differ.
enum ProofTime {
  static let tolerance: TimeInterval = 300

  static func check(_ time: Date?, at now: Date) throws(BounceRefusal) {
    guard let time else { throw .forged("it has no time") }
    guard abs(time.timeIntervalSince(now)) <= tolerance else {
      throw .forged("its time differs by more than five minutes from the gateway's")
    }
  }
}
