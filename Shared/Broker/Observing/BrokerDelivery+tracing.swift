public import Tracing

extension BrokerDelivery {
  /// Runs `work` in a span that goes on from the publisher's. Without a tracer it only runs it.
  public func withSpan<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    let tracer = InstrumentationSystem.tracer
    guard !(tracer is NoOpTracer) else { return try await work() }
    return try await Tracing.withSpan("process \(exchange)", context: context(for: tracer), ofKind: .consumer) { span in
      span.attributes["messaging.system"] = "rabbitmq"
      span.attributes["messaging.destination.name"] = exchange
      span.attributes["messaging.rabbitmq.destination.routing_key"] = routingKey
      if let id = message.messageID { span.attributes["messaging.message.id"] = id }
      return try await work()
    }
  }

  /// The publisher's context, as far as it sent one.
  fileprivate func context(for tracer: any Tracer) -> InstrumentationContext {
    var context = InstrumentationContext.topLevel
    tracer.extract(message.headers, into: &context, using: HeaderCarrier())
    return context
  }
}

extension [BrokerDelivery] {
  /// Runs `work` on the whole batch in a span that links to each publisher's. Without a tracer it only runs it.
  public func withSpan<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    let tracer = InstrumentationSystem.tracer
    guard !(tracer is NoOpTracer) else { return try await work() }
    return try await Tracing.withSpan("process batch", context: .topLevel, ofKind: .consumer) { span in
      describe(span, for: tracer)
      return try await work()
    }
  }

  /// Begins such a span for work that goes on while the next batch is taken; the caller ends it. Nil without a tracer.
  public func startSpan() -> (any Tracing.Span)? {
    let tracer = InstrumentationSystem.tracer
    guard !(tracer is NoOpTracer) else { return nil }
    let span = tracer.startAnySpan("process batch", context: .topLevel, ofKind: .consumer)
    describe(span, for: tracer)
    return span
  }

  private func describe(_ span: any Tracing.Span, for tracer: any Tracer) {
    span.attributes["messaging.system"] = "rabbitmq"
    span.attributes["messaging.batch.message_count"] = count
    for delivery in self { span.addLink(SpanLink(context: delivery.context(for: tracer), attributes: [:])) }
  }
}

/// Carries a trace in a message's headers, e.g. as `traceparent` (W3C Trace Context).
struct HeaderCarrier: Injector, Extractor {
  func inject(_ value: String, forKey key: String, into headers: inout [String: BrokerValue]) {
    headers[key] = .string(value)
  }

  func extract(key: String, from headers: [String: BrokerValue]) -> String? {
    headers[key]?.stringValue
  }
}
