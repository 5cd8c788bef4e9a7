/// What the bearer of a token may do; a token may carry several.
public enum Role: String, Sendable, Hashable, CaseIterable {
  /// Sees and changes only what is theirs. The default when a token names no role that Belfry knows.
  case user
  /// May send notifications and maintain users, groups and devices.
  case service
  /// May do what a service may, and operate the system.
  case admin
}
