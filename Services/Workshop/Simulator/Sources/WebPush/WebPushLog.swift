import Foundation
import Synchronization

/// What arrived at the push service: the accepted pushes and the count of every answer.
final class WebPushLog: Sendable {
  /// An accepted push.
  struct Record: LogRecord {
    let sequence: Int
    /// Milliseconds since 1970.
    let receivedAt: Int64
    /// Of the message, as the answer calls it.
    let id: String
    /// Of the subscription.
    let endpoint: String
    let push: WebPush
    var repetition = DuplicateTracker.Repetition.none

    var byteCount: Int { push.body.count + (push.text?.count ?? 0) + 512 }
  }

  struct Summary: Sendable {
    /// Since the start or the last clearing.
    var accepted = 0
    /// Of these, those that the browser could not decrypt, as far as the simulator stands in for it.
    var unreadable = 0
    /// Of these, those to real browsers.
    var forBrowsers = 0
    /// What real browsers said of them: `100` that they took it, `101` that they cannot decrypt it, `102` that it failed; else `other`.
    var acknowledged: [String: Int] = [:]
    var kept = 0
    var dropped = 0
    var distinct = 0
    var duplicates = 0
    /// Of these, those that a browser would show beside the first.
    var differing = 0
    var connections = 0
    /// By status, or `reset`, `disconnect`, `hang`.
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

  func accept(_ push: WebPush, id: String, endpoint: String) {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let record = state.withLock { state in
      state.sequence += 1
      state.summary.accepted += 1
      if push.isForBrowser {
        state.summary.forBrowsers += 1
      } else if push.text == nil {
        state.summary.unreadable += 1
      }
      var record = Record(sequence: state.sequence, receivedAt: now, id: id, endpoint: endpoint, push: push)
      if let notification = push.notificationID {
        record.repetition = state.tracker.record((notification, push.subscription), fingerprint: push.topic)
      }
      state.log.append(record)
      return record
    }
    feed?.publish(record)
  }

  /// Reports a push that was not accepted.
  ///
  /// - Parameter notification: Reads whose it is, which only the browser can; it is asked if somebody watches.
  func refuse(to endpoint: String, _ reply: WebPushReply, about notification: () -> String?) {
    guard let feed, feed.isWatched else { return }
    feed.publish(
      RefusedPush(
        .webPush,
        target: endpoint,
        notificationID: notification(),
        answer: reply.status.map { ($0, nil) },
        fault: reply.name
      )
    )
  }

  func count(_ answer: String) {
    state.withLock { $0.summary.attempts[answer, default: 0] += 1 }
  }

  /// Counts what a real browser says of a push.
  func acknowledge(_ code: Int) {
    let name = (100...102).contains(code) ? "\(code)" : "other"
    state.withLock { $0.summary.acknowledged[name, default: 0] += 1 }
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
