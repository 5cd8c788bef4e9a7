import DevelopmentControl
import Foundation
import Synchronization

/// What arrived at the SMTP sink.
final class MailLog: Sendable {
  struct Summary: Sendable {
    /// Since the start or the last clearing.
    var accepted = 0
    var kept = 0
    var dropped = 0
    /// By Message-ID and recipient.
    var distinct = 0
    var duplicates = 0
    /// Replies by code.
    var replies: [Int: Int] = [:]
  }

  private struct State: ~Copyable {
    var log: BoundedLog<MailRecord>
    var tracker = DuplicateTracker()
    var sequence = 0
    var accepted = 0
    var replies: [Int: Int] = [:]
  }

  private let state: Mutex<State>
  private let feed: ActivityFeed?

  /// - Parameter feed: Is notified of every mail.
  init(maximumCount: Int, maximumBytes: Int, feed: ActivityFeed? = nil) {
    self.feed = feed
    state = Mutex(State(log: BoundedLog(maximumCount: maximumCount, maximumBytes: maximumBytes)))
  }

  func accept(_ envelope: SMTPEnvelope) {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let headers = MailHeaders(message: envelope.message)
    let record = state.withLock { state in
      state.sequence += 1
      state.accepted += 1
      var record = MailRecord(sequence: state.sequence, receivedAt: now, envelope: envelope, headers: headers)
      if let id = headers["Message-ID"] {
        for recipient in envelope.recipients {
          let repetition = state.tracker.record((id, recipient), fingerprint: id)
          if repetition != .none { record.repetition = repetition }
        }
      }
      state.log.append(record)
      return record
    }
    feed?.publish {
      ActivityEvent("mail") { ActivityJSON.write(record, to: &$0) }
    } seen: {
      Sighting(
        kind: .mail,
        at: now,
        target: envelope.recipients.first ?? "",
        notification: record.notificationID,
        isSeenTwice: record.repetition != .none
      )
    }
  }

  func count(_ code: Int) {
    state.withLock { $0.replies[code, default: 0] += 1 }
  }

  func records(after sequence: Int, limit: Int, where fits: (MailRecord) -> Bool) -> [MailRecord] {
    state.withLock { $0.log.records(after: sequence, limit: limit, where: fits) }
  }

  /// The last ones to arrive, oldest first.
  func latest(_ count: Int) -> [MailRecord] {
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
        replies: state.replies
      )
    }
  }

  /// Forgets everything; sequences go on.
  func removeAll() {
    state.withLock { state in
      state.log.removeAll()
      state.tracker.removeAll()
      state.accepted = 0
      state.replies = [:]
    }
    feed?.publish { .cleared }
  }
}
