public import BelfryClient
public import Foundation

/// Time that stands still until a test moves it, so that an hour passes at once.
///
/// ```swift
/// let clock = TestClock()
/// let server = InMemoryServer(clock: clock)
/// await clock.advance(by: .seconds(3_600))
/// #expect(await clock.advance { await model.unreadCount == 3 })
/// ```
public final class TestClock: ClientClock {
  private struct Sleeper: Sendable {
    let end: Date
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now: Date
    var next = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    /// Grows with whatever happens.
    var activity = 0
    /// What clients have not dealt with yet.
    var expected = 0
    /// So many of these nobody waits for any more: whoever should deal with them does not.
    var givenUp = 0
  }

  /// In so many turns of others nothing may happen, until everybody counts as waiting.
  private static let quietTurns = 20
  /// So long a client that deals with something is waited for, in this device's time.
  private static let patience = Duration.seconds(5)
  /// So many sleepers may wake one after another in a step's time; then it passes at once, and the next is twice as long.
  private static let mostSteps = 200
  /// So far time goes after something has happened: in small steps first, since somebody may be at work unnoticed.
  private static let firstStep = 0.05
  /// Beyond this the device rests a little before.
  private static let longStep = 1.0

  private let state: Locked<State>
  /// So long somebody who never rests is waited for, in this device's time.
  private let longestWork: Duration

  /// - Parameter now: By default a day in January 2027.
  public convenience init(now: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
    self.init(now: now, longestWork: .seconds(30))
  }

  package init(now: Date = Date(timeIntervalSince1970: 1_800_000_000), longestWork: Duration) {
    state = Locked(State(now: now))
    self.longestWork = longestWork
  }

  public var now: Date { state.withLock { $0.now } }

  /// How many wait for their time.
  public var sleeping: Int { state.withLock { $0.sleepers.count } }

  public func sleep(for duration: Duration) async throws {
    let number = state.withLock { state in
      state.next += 1
      state.activity += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          let end = state.now.addingTimeInterval(duration / .seconds(1))
          state.sleepers[number] = Sleeper(end: end, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.activity += 1
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
    state.withLock { state in
      state.activity += 1
      // It was cancelled after its time had come.
      state.cancelled.remove(number)
    }
  }

  // MARK: Moving time

  /// Lets time pass from one sleeper to the next, and lets each do its work. Returns when all whose time has come have done theirs.
  public func advance(by duration: Duration) async {
    _ = await advance(upTo: duration) { false }
  }

  /// Lets time pass until something is so; returns whether it became so.
  ///
  /// - Parameter limit: How much time passes at most, a minute by default.
  public func advance(upTo limit: Duration = .seconds(60), until condition: () async throws -> Bool) async rethrows
    -> Bool
  {
    let end = now.addingTimeInterval(limit / .seconds(1))
    var (length, seen) = (Self.firstStep, -1)
    var (steps, stretch, stretchEnd) = (0, Self.firstStep, now.addingTimeInterval(Self.firstStep))
    while true {
      if try await condition() { return true }
      let isQuiet = await settle(resting: length >= Self.longStep)
      if try await condition() { return true }
      if now >= end { return false }
      // It has to end, whatever the app does: somebody never rests, or sleeps for no time again and again.
      steps = now < stretchEnd ? steps + 1 : 0
      if !isQuiet || steps >= Self.mostSteps {
        wake { max($0, isQuiet ? min(stretchEnd, end) : end) }
        (steps, stretch) = (0, stretch * 2)
      }
      if now >= stretchEnd { stretchEnd = now.addingTimeInterval(stretch) }
      let activity = state.withLock { $0.activity }
      length = activity == seen ? length * 8 : Self.firstStep
      seen = activity
      step(to: min(end, now.addingTimeInterval(length)))
    }
  }

  /// Lets time pass all at once, as for a device that slept, and waits for nobody.
  public func jump(by duration: Duration) {
    wake { $0.addingTimeInterval(duration / .seconds(1)) }
  }

  /// Waits until nobody works: all wait for time, or for something that a test does. Whoever never rests is waited for thirty seconds.
  public func settle() async {
    _ = await settle(resting: true)
  }

  /// Says whether nobody works.
  ///
  /// Not on the caller's actor: whoever is at work elsewhere has to have a turn.
  @concurrent
  private func settle(resting: Bool) async -> Bool {
    let watch = ContinuousClock()
    var (seen, turns, start, hasRested) = (-1, 0, watch.now, false)
    let begin = start
    while watch.now - begin < longestWork {
      let (activity, isExpected) = state.withLock { ($0.activity, $0.expected > $0.givenUp) }
      if activity != seen { (seen, turns, start, hasRested) = (activity, 0, watch.now, false) }
      if turns >= Self.quietTurns, !isExpected || watch.now - start > Self.patience {
        state.withLock { $0.givenUp = max(0, $0.expected) }
        if hasRested || !resting { return true }
        try? await Task.sleep(for: .milliseconds(1))
        (turns, hasRested) = (0, true)
      }
      turns += 1
      await Task.yield()
      // Models are at work there.
      await MainActor.run {}
    }
    return false
  }

  /// Something happens apart from sleeping.
  func note() {
    state.withLock { $0.activity += 1 }
  }

  /// More, or less, is said to clients that they have to deal with.
  package func expect(_ count: Int) {
    state.withLock { state in
      state.activity += 1
      state.expected += count
      state.givenUp = min(state.givenUp, max(0, state.expected))
    }
  }

  /// To the time of the next sleeper, or to the end.
  private func step(to end: Date) {
    let next = state.withLock { $0.sleepers.values.map(\.end).min() } ?? end
    wake { max($0, min(next, end)) }
  }

  /// Wakes those whose time has come, the earliest first.
  private func wake(_ move: (Date) -> Date) {
    let woken = state.withLock { state in
      state.now = move(state.now)
      let due = state.sleepers.filter { $0.value.end <= state.now }
        .sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
      for (number, _) in due { state.sleepers[number] = nil }
      return due.map(\.value)
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
