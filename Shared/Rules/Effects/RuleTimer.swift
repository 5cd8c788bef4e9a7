public import Foundation

/// When a state is to be looked at again, and what for.
public struct RuleTimer: Sendable, Equatable {
  /// What would be sent: `2026-12-01:-P7D`, `end:2026-11-30`, `at:1793270400000`.
  public let what: String
  public let at: Date

  public init(what: String, at: Date) {
    self.what = what
    self.at = at
  }
}
