import NotificationModel
import Synchronization

/// What is known of one push service, by which its refusals are read: whether one is about a subscription, or about us.
///
/// Anybody can subscribe with another's key, and so have our signature refused. So one user's refusals never stop pushes to others.
final class PushServiceRecord: Sendable {
  /// Whom a refusal is about.
  enum Fault: Equatable {
    /// The subscription: others are accepted.
    case subscription
    /// Nobody knows yet.
    case unknown
    /// Ours: users are refused, and nobody is accepted.
    case ours
  }

  private struct State {
    var accepted: ContinuousClock.Instant?
    /// Users who were refused, or of whose pushes there were too many, since one was accepted.
    var refused: Set<UserID> = []
    var limited: Set<UserID> = []
  }

  /// So many users in a row are enough, and a few if nobody was accepted for a while.
  static let (many, several) = (10, 3)
  static let (aWhile, recently) = (Duration.seconds(60), Duration.seconds(3_600))

  let stop = PoolStop()
  private let state = Mutex(State())

  func accepted(at now: ContinuousClock.Instant = .now) {
    state.withLock { $0 = State(accepted: now) }
  }

  /// Why nothing is sent, and how long a user's push has to wait; nil if it may go. Whoever was refused comes a pause after those who were
  /// not: else a few, who subscribed so as to be refused, could have all the attempts.
  func wait(for user: UserID, at now: ContinuousClock.Instant = .now) -> (reason: String, time: Duration)? {
    let wasRefused = state.withLock { $0.refused.contains(user) }
    return stop.wait(at: wasRefused ? now - PoolStop.pause : now)
  }

  /// Whether it is known to be a push service that takes pushes.
  var hasAccepted: Bool { state.withLock { $0.accepted != nil } }

  func refused(_ user: UserID, at now: ContinuousClock.Instant = .now) -> Fault {
    state.withLock { state in
      if state.refused.count < Self.many { state.refused.insert(user) }
      let count = state.refused.count
      let silence = state.accepted.map { now - $0 }
      if count >= Self.many || count >= Self.several && (silence.map { $0 >= Self.aWhile } ?? true) { return .ours }
      return count == 1 && (silence.map { $0 < Self.recently } ?? false) ? .subscription : .unknown
    }
  }

  /// - Returns: Whether it is said to so many that the limit is rather one on all our pushes.
  func limited(_ user: UserID) -> Bool {
    state.withLock { state in
      if state.limited.count < Self.several { state.limited.insert(user) }
      return state.limited.count >= Self.several
    }
  }
}

/// The records of all push services, by host.
final class PushServiceRecords: Sendable {
  /// There are a few dozens. Of more, those begin anew that never took a push, for anybody can make up names below the known ones; if that
  /// is not enough, all that are not stopped.
  static let maximumCount = 256

  private let records = Mutex<[String: PushServiceRecord]>([:])

  subscript(_ host: String) -> PushServiceRecord {
    records.withLock { records in
      if let known = records[host] { return known }
      if records.count >= Self.maximumCount {
        records = records.filter { $0.value.stop.reason != nil || $0.value.hasAccepted }
        if records.count >= Self.maximumCount { records = records.filter { $0.value.stop.reason != nil } }
      }
      let made = PushServiceRecord()
      // Were all of them stopped, this one would be forgotten again.
      if records.count < Self.maximumCount { records[host] = made }
      return made
    }
  }

  /// The first push service that refuses us, with what it says; nil if none does.
  var problem: String? {
    records.withLock { records in
      records.sorted { $0.key < $1.key }.lazy.compactMap { host, record in
        record.stop.reason.map { "webPush \(host): \($0)" }
      }.first
    }
  }
}
