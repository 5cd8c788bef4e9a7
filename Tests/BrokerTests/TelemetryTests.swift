import InMemoryTracing
import Metrics
import MetricsTestKit
import TestSupport
import Testing
import Tracing

@testable import Broker

extension RealBroker {
  struct Telemetry {
    private let broker: TestBroker
    private let queue = unique("telemetry")
    private let tracer = InMemoryTracer()
    private let metrics = TestMetrics()
    private var topology: BrokerTopology { BrokerTopology(queues: [.quorum(queue)]) }

    init() throws { broker = try TestBroker.require() }

    @Test func `a trace goes on from who publishes to who consumes`() async throws {
      try await withTracer(tracer) {
        try await broker.withPublisher(topology) { publisher in
          try await withSpan("request") { _ in
            try await publisher.publish(numbered(1), exchange: "", routingKey: queue)
          }
        }
      }
      let delivery = try #require(try await broker.receive(1, from: queue).first)
      try await withTracer(tracer) { try await delivery.withSpan { try await Task.sleep(for: .zero) } }
      await withTracer(tracer) { await [delivery, delivery].withSpan {} }
      let spans = tracer.finishedSpans
      let sent = try #require(spans.first { $0.operationName == "send " })
      let request = try #require(spans.first { $0.operationName == "request" })
      let processed = try #require(spans.first { $0.operationName == "process " })
      let batch = try #require(spans.first { $0.operationName == "process batch" })
      #expect(sent.kind == .producer)
      #expect(sent.parentSpanID == request.spanID)
      #expect(processed.kind == .consumer)
      #expect(processed.traceID == request.traceID)
      #expect(processed.parentSpanID == sent.spanID)
      #expect(batch.links.count == 2)
    }

    @Test func `publishes, failures and deliveries are counted`() async throws {
      try await withMetricsFactory(metrics) {
        try await broker.withPublisher(topology) { publisher in
          try await publisher.publish(numbered(1), exchange: "", routingKey: queue)
          await #expect(throws: BrokerError.self) {
            try await publisher.publish(numbered(1), exchange: "", routingKey: unique("nowhere"))
          }
        }
        _ = try await broker.receive(1, from: queue)
      }
      #expect(try metrics.expectTimer("belfry_broker_publish_duration").values.count == 2)
      #expect(try metrics.expectCounter("belfry_broker_publish_failures", [("error", "unroutable")]).totalValue == 1)
      #expect(try metrics.expectCounter("belfry_broker_deliveries", [("queue", queue)]).totalValue == 1)
    }

    @Test func `nothing is added to a message where nobody traces`() async throws {
      try await broker.withPublisher(topology) { try await $0.publish(numbered(1), exchange: "", routingKey: queue) }
      let delivery = try #require(try await broker.receive(1, from: queue).first)
      #expect(delivery.message.headers["traceparent"] == nil)
      #expect(await delivery.withSpan { 7 } == 7)
    }
  }
}
