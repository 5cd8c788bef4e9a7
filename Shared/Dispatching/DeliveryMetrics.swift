import Metrics
import NotificationModel

/// What attempts to deliver come to and how long they take, for whatever metrics backend the process has.
///
/// - `belfry_delivery_attempts`: by `channel` and `result`.
/// - `belfry_delivery_duration`: of what reached the provider, by `channel`.
struct DeliveryMetrics: Sendable {
  private let duration: Timer
  private let delivered: Counter
  private let rejected: Counter
  private let retried: Counter
  private let postponed: Counter
  private let parked: Counter

  init(channel: Channel, factory: any MetricsFactory = MetricsSystem.factory) {
    func counter(_ result: String) -> Counter {
      Counter(
        label: "belfry_delivery_attempts",
        dimensions: [("channel", channel.name), ("result", result)],
        factory: factory
      )
    }
    duration = Timer(
      label: "belfry_delivery_duration",
      dimensions: [("channel", channel.name)],
      factory: factory
    )
    delivered = counter("delivered")
    rejected = counter("rejected")
    retried = counter("retry")
    postponed = counter("postponed")
    parked = counter("parked")
  }

  /// Counts one attempt.
  func record(_ result: DeliveryResult, took time: Duration) {
    switch result {
    case .delivered: delivered.increment()
    case .rejected: rejected.increment()
    case .retry: retried.increment()
    case .postponed: return postponed.increment()
    case .parked: parked.increment()
    case .abandoned: return
    }
    duration.record(duration: time)
  }
}
