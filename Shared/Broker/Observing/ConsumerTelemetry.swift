import Metrics

/// What is counted of a consumer's deliveries.
struct ConsumerTelemetry: Sendable {
  private let deliveries: Counter
  private let redeliveries: Counter

  /// - Parameter queue: Its name where it lasts; that of a connection's own would be another after each start.
  init(queue: String) {
    deliveries = Counter(label: "belfry_broker_deliveries", dimensions: [("queue", queue)])
    redeliveries = Counter(label: "belfry_broker_redeliveries", dimensions: [("queue", queue)])
  }

  func count(_ delivery: BrokerDelivery) {
    deliveries.increment()
    if delivery.redelivered { redeliveries.increment() }
  }
}
