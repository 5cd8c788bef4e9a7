import Synchronization

/// Whether so many devices' tokens are refused that rather environment or topic is wrong than the devices are gone.
final class RefusedTokens: Sendable {
  /// So many in about a minute, and half of all pushes.
  static let many = 20
  private static let window = Duration.seconds(60)

  private struct Counts {
    var start: ContinuousClock.Instant
    var refused = 0
    var accepted = 0
    /// Of the window before.
    var earlier = (refused: 0, accepted: 0)
    var isReported = false
  }

  private let counts = Mutex<Counts?>(nil)

  func accepted(at now: ContinuousClock.Instant = .now) {
    update(now) { $0.accepted += 1 }
  }

  /// - Returns: Whether the device is to be kept, and whether that is to be said now: once in a while.
  func refused(at now: ContinuousClock.Instant = .now) -> (isOneOfMany: Bool, isNews: Bool) {
    update(now) { counts in
      counts.refused += 1
      let refused = counts.refused + counts.earlier.refused
      let all = refused + counts.accepted + counts.earlier.accepted
      let isOneOfMany = refused >= Self.many && refused * 2 >= all
      defer { counts.isReported = counts.isReported || isOneOfMany }
      return (isOneOfMany, isOneOfMany && !counts.isReported)
    }
  }

  private func update<Value: Sendable>(
    _ now: ContinuousClock.Instant,
    _ change: (inout sending Counts) -> sending Value
  )
    -> Value
  {
    counts.withLock { kept in
      var counts = kept ?? Counts(start: now)
      if now - counts.start >= Self.window {
        let isNext = now - counts.start < Self.window * 2
        counts = Counts(start: now, earlier: isNext ? (counts.refused, counts.accepted) : (0, 0))
      }
      let value = change(&counts)
      kept = counts
      return value
    }
  }
}
