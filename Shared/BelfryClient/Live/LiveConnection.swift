import Foundation

/// Decides whether there is to be a connection, and when the next attempt is. Connects nothing itself.
///
/// It never stops trying while the app is in front, and lets go behind.
struct LiveConnection: Sendable {
  /// After so many attempts the pauses are long.
  static let patience = 10

  /// What is to be done.
  enum Step: Sendable, Equatable {
    /// Let go of what there is.
    case drop
    /// Let go of what there is, and connect at that time.
    case attempt(at: Date)
  }

  let timing: ClientTiming
  let jitter: Jitter

  private(set) var state = ConnectionState.disconnected
  /// Tells the attempt under way from those that were given up.
  private(set) var attempt = 0
  /// Whether the hub's session is open.
  private(set) var openedAt: Date?
  private var isWanted = false
  private var isPaused = false
  private var isBehind = false
  private var isRefused = false
  private var hasBeen = false
  private var attempts = 0
  /// When the next attempt is, while one is waited for.
  private var retryAt: Date?
  private var notBefore = Date.distantPast

  init(timing: ClientTiming, jitter: Jitter = Jitter()) {
    self.timing = timing
    self.jitter = jitter
  }

  // MARK: What the app wants

  mutating func start(now: Date) -> Step? {
    isWanted = true
    isRefused = false
    return update(now: now)
  }

  mutating func stop(now: Date) -> Step? {
    isWanted = false
    hasBeen = false
    attempts = 0
    return update(now: now)
  }

  mutating func setPaused(_ value: Bool, now: Date) -> Step? {
    isPaused = value
    return update(now: now)
  }

  /// The app has been behind others for long enough.
  mutating func rest(now: Date) -> Step? {
    isBehind = true
    return update(now: now)
  }

  /// The app is in front, or the network is back: at once, instead of later.
  mutating func hurry(now: Date) -> Step? {
    isBehind = false
    if retryAt != nil, !state.isIdle { return soon(now: now) }
    return update(now: now)
  }

  /// Tries again for a user who was refused.
  mutating func retry(now: Date) -> Step? {
    isRefused = false
    attempts = 0
    return hurry(now: now)
  }

  // MARK: What became of it

  mutating func refuse(now: Date) -> Step? {
    isRefused = true
    return update(now: now)
  }

  /// An attempt begins; false if it was given up.
  mutating func begin(_ attempt: Int) -> Bool {
    guard attempt == self.attempt, !state.isIdle else { return false }
    retryAt = nil
    seek()
    return true
  }

  /// The hub has taken the connection; false if it was given up.
  mutating func opened(_ attempt: Int, now: Date) -> Bool {
    guard attempt == self.attempt, !state.isIdle else { return false }
    hasBeen = true
    openedAt = now
    state = .connected
    return true
  }

  /// An attempt has failed, or the connection is lost; nil if it was given up.
  mutating func failed(_ attempt: Int, _ error: BelfryError, now: Date) -> Step? {
    guard attempt == self.attempt, !state.isIdle else { return nil }
    switch error.code {
    case .ended: return .drop
    case .unauthorized, .forbidden: return refuse(now: now)
    default: break
    }
    if let openedAt, now.timeIntervalSince(openedAt) >= timing.steady.inSeconds { attempts = 0 }
    if let wait = error.retryAfter {
      notBefore = now.addingTimeInterval(wait.inSeconds * (1 + jitter.random() / 5))
    }
    let pause =
      attempts < Self.patience
      ? jitter.pause(after: attempts, timing) : timing.retryLong * (0.5 + jitter.random() / 2)
    attempts += 1
    let next = now.addingTimeInterval(pause.inSeconds)
    return wait(until: notBefore.isAhead(of: now, by: longestPause) ? max(next, notBefore) : next)
  }

  // MARK: Deciding

  private mutating func update(now: Date) -> Step? {
    let idle: ConnectionState? =
      !isWanted ? .disconnected : isRefused ? .unauthorized : isPaused || isBehind ? .paused : nil
    guard let idle else { return state.isIdle ? soon(now: now) : nil }
    drop()
    state = idle
    return .drop
  }

  /// Nobody is told to wait longer.
  private var longestPause: Double { max(400, timing.retryMinimum.inSeconds) }

  /// At once, but for who was told to wait, and not more than once in the shortest pause.
  private mutating func soon(now: Date) -> Step {
    if notBefore.isAhead(of: now, by: longestPause) { return wait(until: notBefore) }
    notBefore = now.addingTimeInterval(timing.retryMinimum.inSeconds)
    return wait(until: now)
  }

  private mutating func wait(until date: Date) -> Step {
    drop()
    retryAt = date
    seek()
    return .attempt(at: date)
  }

  private mutating func seek() {
    state = hasBeen || attempts > 0 ? .reconnecting : .connecting
  }

  private mutating func drop() {
    attempt += 1
    retryAt = nil
    openedAt = nil
  }
}
