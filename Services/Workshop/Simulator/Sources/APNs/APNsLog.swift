import Foundation
import Synchronization

/// What arrived at APNs: the accepted pushes and the count of every answer.
final class APNsLog: Sendable {
  /// An accepted push.
  struct Record: LogRecord {
    let sequence: Int
    /// Milliseconds since 1970.
    let receivedAt: Int64
    let environment: APNsEnvironment
    /// As the answer calls it.
    let id: String
    let push: APNsPush
    var repetition = DuplicateTracker.Repetition.none

    var byteCount: Int { push.json.count + 512 }
  }

  struct Summary: Sendable {
    /// Since the start or the last clearing.
    var accepted = 0
    /// The same of each environment.
    var environments: [APNsEnvironment: Int] = [:]
    var kept = 0
    var dropped = 0
    var distinct = 0
    var duplicates = 0
    /// Of these, those that a device would show beside the first.
    var differing = 0
    /// Tokens with which connections said who they are: their first, and renewals.
    var providerTokens = 0
    var connections = 0
    /// By status and reason, or `reset`, `disconnect`, `hang`, `goaway`.
    var attempts: [String: Int] = [:]
  }

  private struct State: ~Copyable {
    var log: BoundedLog<Record>
    var tracker = DuplicateTracker()
    var sequence = 0
    var summary = Summary()
  }

  private let state: Mutex<State>
  private let feed: ActivityFeed?

  /// - Parameter feed: Is notified of every push.
  init(maximumCount: Int, maximumBytes: Int, feed: ActivityFeed? = nil) {
    self.feed = feed
    state = Mutex(State(log: BoundedLog(maximumCount: maximumCount, maximumBytes: maximumBytes)))
  }

  func accept(_ push: APNsPush, id: String, environment: APNsEnvironment) {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let record = state.withLock { state in
      state.sequence += 1
      state.summary.accepted += 1
      state.summary.environments[environment, default: 0] += 1
      var record = Record(sequence: state.sequence, receivedAt: now, environment: environment, id: id, push: push)
      if let notification = push.notificationID {
        record.repetition = state.tracker.record((notification, push.token), fingerprint: push.collapseID)
      }
      state.log.append(record)
      return record
    }
    feed?.publish(record)
  }

  /// Reports a push that was not accepted.
  func refuse(_ push: APNsPush, _ reply: APNsReply) {
    feed?.publish(
      RefusedPush(
        .apns,
        target: push.token,
        notificationID: push.notificationID,
        answer: reply.answer,
        fault: reply.name
      )
    )
  }

  func count(_ answer: String) {
    state.withLock { $0.summary.attempts[answer, default: 0] += 1 }
  }

  func countProviderToken() {
    state.withLock { $0.summary.providerTokens += 1 }
  }

  func countConnection() {
    state.withLock { $0.summary.connections += 1 }
  }

  func records(after sequence: Int, limit: Int, where fits: (Record) -> Bool) -> [Record] {
    state.withLock { $0.log.records(after: sequence, limit: limit, where: fits) }
  }

  /// The last ones to arrive, oldest first.
  func latest(_ count: Int) -> [Record] {
    state.withLock { $0.log.records(after: $0.sequence - count, limit: count) { _ in true } }
  }

  func summary() -> Summary {
    state.withLock { state in
      var summary = state.summary
      (summary.kept, summary.dropped) = (state.log.count, state.log.dropped)
      summary.distinct = state.tracker.distinct
      (summary.duplicates, summary.differing) = (state.tracker.duplicates, state.tracker.differing)
      return summary
    }
  }

  /// Forgets everything; sequences go on.
  func removeAll() {
    state.withLock { state in
      state.log.removeAll()
      state.tracker.removeAll()
      state.summary = Summary()
    }
    feed?.publish { .cleared }
  }
}
