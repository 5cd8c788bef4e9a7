/// How the delivery of one notification to one target ended. The codes are stored; they never change meaning.
public enum DeliveryOutcome: Int16, Sendable, CaseIterable {
  /// The provider accepted it.
  case delivered = 1
  /// The provider refused it for good.
  case rejected = 2
  /// Every attempt failed; the delivery is dead-lettered.
  case exhausted = 3
  /// It expired before it could be delivered.
  case expired = 4

  /// Whether a repeated message may leave this target out. An exhausted delivery may be redriven.
  public var isFinal: Bool { self != .exhausted }

  public var name: String { String(describing: self) }
}
