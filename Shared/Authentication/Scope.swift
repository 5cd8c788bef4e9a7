/// What an API key may do of what a service may.
public enum Scope: String, Sendable, Hashable, CaseIterable {
  /// Whatever changes something.
  case send
  /// Whatever only reads.
  case read
}
