import Metrics
import NotificationModel
import Tracing

/// What attempts to deliver come to and how long they take, for whatever backends of metrics and traces the process has.
///
/// - `belfry_delivery_attempts`: by `channel` and `result`.
/// - `belfry_delivery_withheld`: targets that were not tried to spare the provider, by `channel`, kind of `scope` and `reason`.
/// - `belfry_delivery_duration`: of what reached the provider, by `channel`.
/// - A span `deliver <channel>` for each attempt, in the message's trace.
struct DeliveryTelemetry: Sendable {
  private let channel: Channel
  private let factory: any MetricsFactory
  private let withheld = WithheldCounters()
  private let isTraced = !(InstrumentationSystem.tracer is NoOpTracer)
  private let duration: Timer
  private let delivered: Counter
  private let rejected: Counter
  private let retried: Counter
  private let postponed: Counter
  private let deadLettered: Counter
  private let uncertain: Counter

  init(channel: Channel, factory: any MetricsFactory = MetricsSystem.factory) {
    func counter(_ result: String) -> Counter {
      Counter(
        label: "belfry_delivery_attempts",
        dimensions: [("channel", channel.name), ("result", result)],
        factory: factory
      )
    }
    self.channel = channel
    self.factory = factory
    duration = Timer(
      label: "belfry_delivery_duration",
      dimensions: [("channel", channel.name)],
      factory: factory
    )
    delivered = counter("delivered")
    rejected = counter("rejected")
    retried = counter("retry")
    postponed = counter("postponed")
    deadLettered = counter("parked")
    uncertain = counter("uncertain")
  }

  /// Makes one attempt, and counts and traces it.
  func observe(_ attempt: () async -> DeliveryResult) async -> DeliveryResult {
    let start = ContinuousClock.now
    let result = await traced(attempt)
    record(result, took: .now - start)
    return result
  }

  /// Counts a target that was not tried, to spare the provider.
  func count(_ postponement: Postponement, _ scope: ProviderScope) {
    postponed.increment()
    withheld.counter(scope.kind, postponement.reason, channel, factory).increment()
  }

  private func traced(_ attempt: () async -> DeliveryResult) async -> DeliveryResult {
    guard isTraced else { return await attempt() }
    return await withSpan("deliver \(channel.name)", ofKind: .client) { span in
      let result = await attempt()
      // Reasons may hold what a provider says of an address.
      if case .delivered = result { return result }
      span.setStatus(SpanStatus(code: .error))
      return result
    }
  }

  /// Counts one attempt.
  private func record(_ result: DeliveryResult, took time: Duration) {
    switch result {
    case .delivered: delivered.increment()
    case .rejected: rejected.increment()
    case .retry: retried.increment()
    case .postponed, .throttled: return postponed.increment()
    case .deadLettered: deadLettered.increment()
    case .uncertain: uncertain.increment()
    case .ofProvider(let result): return record(result, took: time)
    case .abandoned: return
    }
    duration.record(duration: time)
  }
}
