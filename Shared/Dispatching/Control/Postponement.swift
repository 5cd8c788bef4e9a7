/// Why a target is not tried now, and for how long.
struct Postponement: Equatable, Sendable {
  enum Reason: String, CaseIterable, Sendable {
    /// The provider said that the scope's quota is used up.
    case throttled
    /// Half of the calls failed.
    case breaker
    /// Enough of the calls are retries.
    case retryBudget
    /// It is a quarter of an hour.
    case quarterHour
    /// The scope has its share of the permits, and enough wait for them.
    case busy
    /// Our share of the quota is used up.
    case quota
    /// The scope gets no more calls a minute: so it is set, or the provider said that they were too many.
    case pace

    /// What an operator reads as the reason.
    var text: String {
      switch self {
      case .throttled: "QUOTA_EXCEEDED"
      case .breaker: "the provider fails too often"
      case .retryBudget: "too many retries"
      case .quarterHour: "no retries around a quarter of an hour"
      case .busy: "the provider is slow"
      case .quota: "the share of the quota is used up"
      case .pace: "no more a minute"
      }
    }
  }

  var reason: Reason
  var after: Duration

  var result: DeliveryResult { .postponed(reason: reason.text, after: after) }
}
