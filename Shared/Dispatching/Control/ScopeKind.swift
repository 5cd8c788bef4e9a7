/// What the scopes of one kind share: the quota, of which each call of theirs is a part.
///
/// Not Sendable: ``ScopePermits`` keeps it.
final class ScopeKind {
  var bucket: TokenBucket?
  /// Calls of its scopes that were begun of late.
  var begun = 0

  /// - Parameter rate: Calls a second, of this process; nil: as many as there are.
  init(rate: Double?, now: ContinuousClock.Instant) {
    bucket = rate.map { TokenBucket(rate: $0, now: now) }
  }
}
