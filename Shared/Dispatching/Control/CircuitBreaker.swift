/// Stops asking a provider that fails: for a minute if half of at least a hundred calls of the last minute failed, or a hundred in a
/// row, however many went well before. Ten probes then say whether it works again.
struct CircuitBreaker {
  static let window: Duration = .seconds(60)
  static let minimumCalls = 100
  static let openFor: Duration = .seconds(60)
  static let probes = 10

  private enum State {
    case closed
    case open(until: ContinuousClock.Instant)
    /// Waits for what comes of the probes.
    case halfOpen(begun: Int, ended: Int, failed: Int)
  }

  /// What the end of a call leads to.
  enum Change: Equatable {
    case none
    case opened
    case closed
    /// Not by the breaker: the provider says that a quota is used up, for so long.
    case paused(Duration)
  }

  private var state = State.closed
  private var calls: SlidingCounts
  /// Failures since a call went well, none of which came a window after the one before.
  private var failuresInARow = 0
  private var lastFailure: ContinuousClock.Instant?
  /// Counts changes: what was begun before one says nothing after it.
  private(set) var generation = 0

  init(now: ContinuousClock.Instant) {
    calls = SlidingCounts(window: Self.window, now: now)
  }

  var isClosed: Bool {
    if case .closed = state { true } else { false }
  }

  /// How long no call may begin from now on; nil if one may.
  func refusal(at now: ContinuousClock.Instant) -> Duration? {
    switch state {
    case .closed: nil
    case .open(let until): until > now ? until - now : nil
    // The probes' answers are awaited.
    case .halfOpen(let begun, _, _): begun < Self.probes ? nil : .seconds(10)
    }
  }

  /// Begins a call that is not refused. The call's end is told with the ``generation`` of this moment.
  mutating func begin(at now: ContinuousClock.Instant) {
    switch state {
    case .closed: break
    case .open:
      state = .halfOpen(begun: 1, ended: 0, failed: 0)
      generation += 1
    case .halfOpen(let begun, let ended, let failed):
      state = .halfOpen(begun: begun + 1, ended: ended, failed: failed)
    }
  }

  /// Takes back a call that was begun and not made.
  mutating func cancel(generation: Int) {
    guard generation == self.generation, case .halfOpen(let begun, let ended, let failed) = state else { return }
    state = .halfOpen(begun: begun - 1, ended: ended, failed: failed)
  }

  mutating func end(failed isFailure: Bool, generation: Int, at now: ContinuousClock.Instant) -> Change {
    guard generation == self.generation else { return .none }
    switch state {
    case .closed:
      calls.add(isMarked: isFailure, at: now)
      countInARow(isFailure, at: now)
      let isHalf = calls.all >= Self.minimumCalls && calls.marked * 2 >= calls.all
      guard isHalf || failuresInARow >= Self.minimumCalls else { return .none }
      open(at: now)
      return .opened
    case .open: return .none
    case .halfOpen(let begun, let before, let failedBefore):
      let (ended, failed) = (before + 1, failedBefore + (isFailure ? 1 : 0))
      if failed * 2 >= Self.probes {
        open(at: now)
        return .opened
      }
      if ended >= Self.probes {
        state = .closed
        self.generation += 1
        calls = SlidingCounts(window: Self.window, now: now)
        return .closed
      }
      state = .halfOpen(begun: begun, ended: ended, failed: failed)
      return .none
    }
  }

  private mutating func countInARow(_ isFailure: Bool, at now: ContinuousClock.Instant) {
    guard isFailure else {
      failuresInARow = 0
      return
    }
    if let lastFailure, now - lastFailure >= Self.window { failuresInARow = 0 }
    failuresInARow += 1
    lastFailure = now
  }

  private mutating func open(at now: ContinuousClock.Instant) {
    state = .open(until: now + Self.openFor)
    failuresInARow = 0
    generation += 1
  }
}
