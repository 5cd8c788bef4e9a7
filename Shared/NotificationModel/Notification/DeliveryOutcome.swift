/// How the delivery of one notification to one target ended. The codes are stored; they never change meaning.
public enum DeliveryOutcome: Int16, Sendable, CaseIterable {
  /// The provider accepted it.
  case delivered = 1
  /// The provider refused it for good, or it waited and the router would not send it any more.
  case rejected = 2
  /// Every attempt failed; the delivery is dead-lettered.
  case exhausted = 3
  /// It expired before it could be delivered.
  case expired = 4
  /// The provider had all of it and did not answer before the service stopped: it may have arrived. It is tried once more, after which
  /// this stands if there is no answer again.
  case uncertain = 5

  /// Whether a repeated message may leave this target out. An exhausted delivery may be redriven, an uncertain one is tried once more.
  public var isFinal: Bool {
    switch self {
    case .delivered, .rejected, .expired: true
    case .exhausted, .uncertain: false
    }
  }

  public var name: String { String(describing: self) }
}
