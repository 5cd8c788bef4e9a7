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
    /// Subscriptions that were accepted ever, by their hashes.
    var known: Set<Int> = []
    /// Users who were refused since one was accepted, and when the last of them was.
    var refused: Set<UserID> = []
    var lastRefusal: ContinuousClock.Instant?
    /// Users of whose pushes there were too many since one was accepted, and when.
    var limited: [UserID: ContinuousClock.Instant] = [:]
    /// Whether something that no user can choose says that the refusals are about us.
    var isProved = false
  }

  /// So many users in a row are enough, and a few if nobody was accepted for a while.
  static let (many, several) = (10, 3)
  static let (aWhile, recently) = (Duration.seconds(60), Duration.seconds(3_600))
  /// If nobody was refused for so long, the refusals before count no more.
  static let lapse = Duration.seconds(300)
  /// Subscriptions that are known to have been accepted; of more, some are forgotten.
  static let maximumKnown = 1_000

  let stop = PoolStop(lapse: PushServiceRecord.lapse)
  private let state = Mutex(State())

  func accepted(_ subscription: Int? = nil, at now: ContinuousClock.Instant = .now) {
    state.withLock { state in
      var known = state.known
      if let subscription, !known.contains(subscription) {
        if known.count >= Self.maximumKnown { known.removeFirst() }
        known.insert(subscription)
      }
      state = State(accepted: now, known: known)
    }
  }

  /// What the operator must mend. Anybody can have subscriptions refused, so that alone says nothing: there is a problem only if one is
  /// refused that was accepted before, or if a refusal's date shows that our clock is wrong.
  func problem(at now: ContinuousClock.Instant = .now) -> String? {
    state.withLock(\.isProved) ? stop.reason(at: now) : nil
  }

  /// Why nothing is sent, and how long a user's push has to wait; nil if it may go. Whoever was refused comes a pause after those who were
  /// not: else a few, who subscribed so as to be refused, could have all the attempts.
  func wait(for user: UserID, at now: ContinuousClock.Instant = .now) -> (reason: String, time: Duration)? {
    let wasRefused = state.withLock { $0.refused.contains(user) }
    return stop.wait(at: wasRefused ? now - PoolStop.pause : now)
  }

  /// Whether it is known to be a push service that takes pushes.
  var hasAccepted: Bool { state.withLock { $0.accepted != nil } }

  /// - Parameters:
  ///   - subscription: The hash by which it is known if it was accepted before.
  ///   - isClockWrong: Whether the refusal's date differs from ours.
  func refused(
    _ user: UserID,
    _ subscription: Int? = nil,
    isClockWrong: Bool = false,
    at now: ContinuousClock.Instant = .now
  ) -> Fault {
    state.withLock { state in
      if let last = state.lastRefusal, now - last >= Self.lapse { (state.refused, state.isProved) = ([], false) }
      state.lastRefusal = now
      if isClockWrong || subscription.map(state.known.contains) ?? false { state.isProved = true }
      if state.refused.count < Self.many { state.refused.insert(user) }
      let count = state.refused.count
      let silence = state.accepted.map { now - $0 }
      if count >= Self.many || count >= Self.several && (silence.map { $0 >= Self.aWhile } ?? true) { return .ours }
      return count == 1 && (silence.map { $0 < Self.recently } ?? false) ? .subscription : .unknown
    }
  }

  /// - Returns: Whether it was said to so many within a minute that the limit is rather one on all our pushes. They are counted anew then.
  func limited(_ user: UserID, at now: ContinuousClock.Instant = .now) -> Bool {
    state.withLock { state in
      state.limited = state.limited.filter { now - $0.value < Self.aWhile }
      state.limited[user] = now
      guard state.limited.count >= Self.several else { return false }
      state.limited = [:]
      return true
    }
  }
}

/// The records of all push services, by host.
final class PushServiceRecords: Sendable {
  /// There are a few dozens. Of more, those begin anew that never took a push, for anybody can make up names below the known ones, and those
  /// that are stopped last; if that is not enough, all that are not stopped, and in the end all.
  static let maximumCount = 256

  private let records = Mutex<[String: PushServiceRecord]>([:])

  subscript(_ host: String) -> PushServiceRecord {
    records.withLock { records in
      if let known = records[host] { return known }
      let isKept: [(PushServiceRecord) -> Bool] = [
        { $0.hasAccepted || $0.stop.reason() != nil }, \.hasAccepted, { $0.hasAccepted && $0.stop.reason() != nil },
        { _ in false },
      ]
      for isKept in isKept where records.count >= Self.maximumCount { records = records.filter { isKept($0.value) } }
      let made = PushServiceRecord()
      records[host] = made
      return made
    }
  }

  /// The first push service that refuses us for sure, with what it says; nil if none does.
  var problem: String? {
    records.withLock { records in
      records.sorted { $0.key < $1.key }.lazy.compactMap { host, record in
        record.problem().map { "webPush \(host): \($0)" }
      }.first
    }
  }
}
