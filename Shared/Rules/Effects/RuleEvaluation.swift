/// What came of looking at a rule once.
public struct RuleEvaluation: Sendable, Equatable {
  /// The state to store; nil if there was none and none is needed.
  public let state: RuleState?
  /// Whether ``state`` is another than before: if not, nothing needs writing.
  public let isStateChanged: Bool
  /// To be done in this order, in the transaction that stores the state.
  public let effects: [RuleEffect]
  public let trace: RuleTrace

  public var outcome: RuleOutcome { trace.outcome }

  /// The notices among the effects.
  public var notices: [RuleNotice] {
    effects.compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
  }
}
