/// All that a decision depends on: the same input, the same answer.
public struct DecisionInput: Sendable {
  public var subject: DecisionSubject
  public var recipient: Recipient
  public var state: DecisionState

  public init(_ subject: DecisionSubject, to recipient: Recipient, state: DecisionState = DecisionState()) {
    self.subject = subject
    self.recipient = recipient
    self.state = state
  }
}
