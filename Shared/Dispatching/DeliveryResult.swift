public import Foundation

/// What came of one attempt to deliver to one target. A value, not an error: the worker turns each case into an outcome, a
/// place on the retry ladder, or nothing.
public enum DeliveryResult: Sendable, Equatable {
  /// The provider accepted it; `note` records anything an operator should know (e.g. that the body was shortened).
  case delivered(providerID: String?, note: String? = nil)
  /// The provider refused it for good. `forgetsTarget`: the device or address is of no use any more, since `goneSince` where the
  /// provider says so. `wasAsked`: else it was we who saw that it cannot be sent, and nothing is known of the provider.
  case rejected(reason: String, forgetsTarget: Bool = false, goneSince: Date? = nil, wasAsked: Bool = true)
  /// It may work later: not before `after` where the provider said so, else from the tier of at least `first` upward. When
  /// all attempts are used up it is dead-lettered, or with `thenForgetsTarget` the target is forgotten instead.
  /// `isProviderTrouble`: the provider failed (5xx), cannot be reached or did not answer in time, which tells against its whole scope.
  case retry(
    reason: String,
    first: Duration,
    after: Duration? = nil,
    thenForgetsTarget: Bool = false,
    isProviderTrouble: Bool = false
  )
  /// It was not tried and must wait: no attempt is counted.
  case postponed(reason: String, after: Duration)
  /// The quota of the target's scope is used up: nothing in the scope is tried for `until` from now, and this target waits as long.
  /// No attempt is counted. `pause`: nothing else in the scope waits longer than that.
  case throttled(reason: String, until: Duration, pause: Duration? = nil)
  /// It cannot work before somebody fixes something on our side: dead-lettered at once, to be redriven then.
  case deadLettered(reason: String)
  /// It was not tried because the service stops: the message stays with the broker.
  case abandoned
  /// The provider has all of it, and the service stops before the answer: recorded as ``DeliveryOutcome/uncertain``, and tried once more.
  case uncertain(reason: String)
  /// What came of it is about all scopes of the provider, and says nothing of the target's own.
  indirect case ofProvider(DeliveryResult)

  /// The channel's provider does not serve the target.
  static let noProvider = DeliveryResult.deadLettered(reason: "noProvider")

  /// Its message would go back to the broker before it ended: soon again, and no attempt is counted.
  static let notBegunInTime = DeliveryResult.postponed(reason: "not begun in time", after: .zero)
}

extension DeliveryResult {
  /// Whether it says how the provider does. What was never sent does not, and neither does a used up quota: senders know of it
  /// without asking.
  var tellsOfProvider: Bool {
    switch self {
    case .rejected(_, _, _, let wasAsked): wasAsked
    case .delivered, .retry, .deadLettered: true
    case .postponed, .throttled, .abandoned, .uncertain: false
    case .ofProvider(let result): result.tellsOfProvider
    }
  }

  /// What the target's scope learns, where the provider as a whole learns for itself.
  var ofScope: DeliveryResult {
    if case .ofProvider = self { .abandoned } else { self }
  }

  /// What the provider as a whole learns: that it answers, where the trouble is the scope's.
  var ofWhole: DeliveryResult {
    switch self {
    case .ofProvider(let result): result
    case .retry(_, _, _, _, isProviderTrouble: true), .throttled: .rejected(reason: "of a scope")
    default: self
    }
  }
}
