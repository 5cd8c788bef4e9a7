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

  init(maximumCount: Int, maximumBytes: Int) {
    state = Mutex(State(log: BoundedLog(maximumCount: maximumCount, maximumBytes: maximumBytes)))
  }

  func accept(_ envelope: SMTPEnvelope) {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let headers = MailHeaders(message: envelope.message)
    state.withLock { state in
      state.sequence += 1
      state.accepted += 1
      state.log.append(
        MailRecord(sequence: state.sequence, receivedAt: now, envelope: envelope, headers: headers)
      )
      guard let id = headers["Message-ID"] else { return }
      for recipient in envelope.recipients { state.tracker.record((id, recipient), fingerprint: id) }
    }
  }

  func count(_ code: Int) {
    state.withLock { $0.replies[code, default: 0] += 1 }
  }

  func records(after sequence: Int, limit: Int, where fits: (MailRecord) -> Bool) -> [MailRecord] {
    state.withLock { $0.log.records(after: sequence, limit: limit, where: fits) }
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
  }
}
