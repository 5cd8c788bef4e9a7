/// What follows from an evaluation, to be done in the transaction that stores the state.
public enum RuleEffect: Sendable, Equatable {
  case notify(RuleNotice)
  /// The state's one timer: it takes the place of the timer that the state has. May be in the past: due at once.
  case schedule(RuleTimer, RuleStateKey)
  /// The state's timer is no more.
  case cancel(RuleStateKey)
}
