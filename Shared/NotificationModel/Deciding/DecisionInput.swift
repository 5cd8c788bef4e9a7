/// All that a decision depends on: the same input, the same answer.
public struct DecisionInput: Sendable {
  public var subject: DecisionSubject
  public var recipient: Recipient
  public var state: DecisionState
  /// Whether it would have more characters than may be told, in the recipient's words.
  public var isTextTooLong: Bool

  public init(
    _ subject: DecisionSubject,
    to recipient: Recipient,
    state: DecisionState = DecisionState(),
    isTextTooLong: Bool = false
  ) {
    self.subject = subject
    self.recipient = recipient
    self.state = state
    self.isTextTooLong = isTextTooLong
  }
}
