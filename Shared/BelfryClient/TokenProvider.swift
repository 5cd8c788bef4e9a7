/// Why the client asks for a token.
public enum TokenReason: Sendable, Equatable {
  /// There is none yet.
  case needed
  /// The server refused the last one: give another one.
  case refused
}

/// Gives the signed-in user's token.
///
/// It is asked once at a time, for all that waits for it, and may take 30 seconds. An empty text, or a ``BelfryError`` with the code
/// `unauthorized`, says that nobody is signed in: the client then stops until ``BelfryClient/retry()``. Any other error counts as temporary.
public typealias TokenProvider = @Sendable (_ reason: TokenReason) async throws -> String
