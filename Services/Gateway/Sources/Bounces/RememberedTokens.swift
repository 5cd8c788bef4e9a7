import Foundation
import Synchronization

/// What was taken already, for at least as long as a proof is good: so that nobody plays it again. Each process remembers its own.
final class RememberedTokens: Sendable {
  enum Taking {
    /// It is the caller's now, who says what became of it: ``keep(_:at:)`` or ``giveBack(_:)``.
    case first
    /// Somebody is at it, and may fail.
    case inProgress
    case repeated
  }

  private struct State {
    /// As many as there are requests.
    var inProgress: Set<String> = []
    var current: Set<String> = []
    var former: Set<String> = []
    var since = Date.distantPast
  }

  /// Longer than a proof is good.
  private static let span = ProofTime.repetition + 2 * ProofTime.tolerance
  private let maximum: Int
  private let state = Mutex(State())

  /// - Parameter maximum: Of each of two generations; only who proves themselves adds any.
  init(maximum: Int = 50_000) {
    self.maximum = maximum
  }

  func take(_ token: String, at now: Date) -> Taking {
    state.withLock { state in
      renew(&state, at: now)
      if state.former.contains(token) || state.current.contains(token) { return .repeated }
      return state.inProgress.insert(token).inserted ? .first : .inProgress
    }
  }

  /// It counts no more: what it came with is kept.
  func keep(_ token: String, at now: Date) {
    state.withLock { state in
      state.inProgress.remove(token)
      renew(&state, at: now)
      state.current.insert(token)
    }
  }

  /// Forgets it again: what it came with could not be kept, and will be sent anew.
  func giveBack(_ token: String) {
    state.withLock { state in
      _ = state.inProgress.remove(token)
    }
  }

  private func renew(_ state: inout State, at now: Date) {
    guard now.timeIntervalSince(state.since) >= Self.span || state.current.count >= maximum else { return }
    // Two spans without any: neither generation counts.
    state.former = now.timeIntervalSince(state.since) >= 2 * Self.span ? [] : state.current
    state.current = []
    state.since = now
  }
}

/// How old a proof may be.
enum ProofTime {
  /// How far clocks may differ.
  static let tolerance: TimeInterval = 300
  /// How long a report that was not taken may be repeated with the time of the first try: the longest that a delivery policy of SNS can say.
  static let repetition: TimeInterval = 3_600

  static func check(_ time: Date?, at now: Date) throws(BounceRefusal) {
    guard let time else { throw .forged("it has no time") }
    let age = now.timeIntervalSince(time)
    guard age >= -tolerance else { throw .forged("its time is more than five minutes after the gateway's") }
    guard age <= tolerance + repetition else {
      throw .forged("its time is more than \(Int(tolerance + repetition) / 60) minutes before the gateway's")
    }
  }
}
