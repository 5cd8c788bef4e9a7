import Metrics
import Tracing

/// Where metrics and traces attach to a publisher. Without a backend when it is made, a publish costs nothing.
struct PublisherTelemetry: Sendable {
  private let factory: any MetricsFactory
  /// From the call to the broker's confirm; nil where nobody measures.
  private let duration: Metrics.Timer?
  private let tracer: any Tracer
  private let isTraced: Bool

  init() {
    factory = MetricsSystem.factory
    let isMeasured = !(factory is NOOPMetricsHandler)
    duration = isMeasured ? Metrics.Timer(label: "belfry_broker_publish_duration", factory: factory) : nil
    tracer = InstrumentationSystem.tracer
    isTraced = !(tracer is NoOpTracer)
  }

  /// Sends in a span of its own, which the message's headers carry to whoever consumes it, and measures that.
  func observe(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    _ send: (BrokerMessage) async throws(BrokerError) -> Void
  ) async throws(BrokerError) {
    guard isTraced || duration != nil else { return try await send(message) }
    var message = message
    let span = tracer.startAnySpan("send \(exchange)", ofKind: .producer)
    if isTraced {
      span.attributes["messaging.system"] = "rabbitmq"
      span.attributes["messaging.destination.name"] = exchange
      span.attributes["messaging.rabbitmq.destination.routing_key"] = routingKey
      if let id = message.messageID { span.attributes["messaging.message.id"] = id }
      tracer.inject(span.context, into: &message.headers, using: HeaderCarrier())
    }
    let start = ContinuousClock.now
    defer {
      duration?.record(duration: start.duration(to: .now))
      span.end()
    }
    do throws(BrokerError) {
      try await send(message)
    } catch {
      if duration != nil {
        let code = "\(error.code)"
        Counter(label: "belfry_broker_publish_failures", dimensions: [("error", code)], factory: factory).increment()
      }
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error))
      throw error
    }
  }
}
