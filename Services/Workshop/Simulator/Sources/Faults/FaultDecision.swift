/// What is to happen to one request: a wait, then either the usual answer or an effect.
struct FaultDecision: Sendable, Equatable {
  var delay: Duration = .zero
  var effect: FaultEffect?

  static let none = FaultDecision()
}
