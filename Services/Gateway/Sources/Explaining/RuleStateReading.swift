import Rules

/// Tells what rules remember of people.
protocol RuleStateReading: Sendable {
  /// Those that are there; nothing is locked.
  func states(of keys: [RuleStateKey]) async throws -> [RuleStateKey: RuleState]
}

/// Rules that remember nothing: every event is the first.
struct NoRuleStates: RuleStateReading {
  func states(of keys: [RuleStateKey]) async throws -> [RuleStateKey: RuleState] { [:] }
}
