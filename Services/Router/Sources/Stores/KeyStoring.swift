import NotificationStore

/// Remembers which request a sender's key stands for: what routing needs of ``IdempotencyStore``.
protocol KeyStoring: Sendable {
  /// Claims keys, or answers what they stand for already, in the order of the claims.
  func claim(_ claims: [IdempotencyStore.Claim]) async throws -> [IdempotencyStore.Entry]
}

extension IdempotencyStore: KeyStoring {}
