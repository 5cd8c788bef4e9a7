/// Whose requests a connection takes. Asked when a request is submitted, because the pool's choice is older by then: somebody
/// else may have borrowed the connection since.
enum ConnectionAccess: Sendable, Equatable {
  /// Everybody's.
  case shared
  /// Those of the lease alone.
  case borrowed(ObjectIdentifier)
  /// Those of the pool alone, which puts it in order after a borrower.
  case cleaning
}
