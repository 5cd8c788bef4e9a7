/// What the scopes of one kind share: the quota, of which each call of theirs is a part.
///
/// Not Sendable: ``ScopePermits`` keeps it.
final class ScopeKind {
  let bucket: SharedTokens.Member?
  /// Calls of its scopes that were begun of late.
  var begun = 0

  /// - Parameter bucket: Nil: there are as many calls as are wanted.
  init(bucket: SharedTokens.Member?) {
    self.bucket = bucket
  }
}
