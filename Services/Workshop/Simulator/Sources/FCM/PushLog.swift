import Foundation
import Synchronization

/// What arrived at FCM: the accepted pushes and the count of every answer.
final class PushLog: Sendable {
  struct Summary: Sendable {
    /// Since the start or the last clearing.
    var accepted = 0
    var kept = 0
    var dropped = 0
    var distinct = 0
    var duplicates = 0
    var differing = 0
    var untracked = 0
    /// By HTTP status, or `reset`, `disconnect`, `hang`.
    var attempts: [String: Int] = [:]
  }

  private struct State: ~Copyable {
    var log: BoundedLog<PushRecord>
    var tracker = DuplicateTracker()
    var sequence = 0
    var accepted = 0
    var attempts: [String: Int] = [:]
  }

  private let state: Mutex<State>
  private let feed: ActivityFeed?

  /// - Parameter feed: Is notified of every push.
  init(maximumCount: Int, maximumBytes: Int, feed: ActivityFeed? = nil) {
    self.feed = feed
    state = Mutex(State(log: BoundedLog(maximumCount: maximumCount, maximumBytes: maximumBytes)))
  }

  /// Keeps an accepted push and answers its message id.
  func accept(_ message: PushMessage, json: [UInt8]) -> String {
    let now = Self.now
    let record = state.withLock { state in
      state.sequence += 1
      state.accepted += 1
      var record = PushRecord(sequence: state.sequence, receivedAt: now, message: message, json: json)
      if let id = message.notificationID {
        record.repetition = state.tracker.record((id, message.target.text), fingerprint: message.collapseFingerprint)
      }
      state.log.append(record)
      return record
    }
    feed?.publish(record)
    return record.messageID
  }

  /// Reports a push that was not accepted.
  func refuse(_ message: PushMessage, _ effect: FaultEffect) {
    feed?.publish(
      RefusedPush(
        .fcm,
        target: message.target.text,
        notificationID: message.notificationID,
        answer: effect.failure.map { ($0.httpStatus, $0.errorCode ?? $0.status) },
        fault: effect.kind.rawValue
      )
    )
  }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  /// Counts an answer.
  func count(_ attempt: String) {
    state.withLock { $0.attempts[attempt, default: 0] += 1 }
  }

  func records(after sequence: Int, limit: Int, where fits: (PushRecord) -> Bool) -> [PushRecord] {
    state.withLock { $0.log.records(after: sequence, limit: limit, where: fits) }
  }

  /// The last ones to arrive, oldest first.
  func latest(_ count: Int) -> [PushRecord] {
    state.withLock { $0.log.records(after: $0.sequence - count, limit: count) { _ in true } }
  }

  func summary() -> Summary {
    state.withLock { state in
      Summary(
        accepted: state.accepted,
        kept: state.log.count,
        dropped: state.log.dropped,
        distinct: state.tracker.distinct,
        duplicates: state.tracker.duplicates,
        differing: state.tracker.differing,
        untracked: state.tracker.untracked,
        attempts: state.attempts
      )
    }
  }

  /// Forgets everything; sequences go on.
  func removeAll() {
    state.withLock { state in
      state.log.removeAll()
      state.tracker.removeAll()
      state.accepted = 0
      state.attempts = [:]
    }
    feed?.publish { .cleared }
  }
}
