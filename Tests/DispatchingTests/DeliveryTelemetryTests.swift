import InMemoryTracing
import Metrics
import MetricsTestKit
import NotificationModel
import Testing
import Tracing

@testable import Dispatching

@Suite struct DeliveryTelemetryTests {
  private let factory = TestMetrics()

  private func count(_ result: String, _ channel: String = "push") throws -> Int64 {
    try factory.expectCounter("belfry_delivery_attempts", [("channel", channel), ("result", result)]).totalValue
  }

  @Test func `attempts are counted by channel and result, and timed if they reached the provider`() async throws {
    let telemetry = DeliveryTelemetry(channel: .push, factory: factory)
    let results: [DeliveryResult] = [
      .delivered(providerID: "p"), .delivered(providerID: "p"), .retry(reason: "INTERNAL", first: .seconds(10)),
      .postponed(reason: "QUOTA_EXCEEDED", after: .seconds(1)), .abandoned,
      .throttled(reason: "QUOTA_EXCEEDED", until: .seconds(60)), .uncertain(reason: "no answer to the final dot"),
    ]
    for result in results { _ = await telemetry.observe { result } }
    #expect(try count("delivered") == 2)
    #expect(try count("retry") == 1)
    #expect(try count("postponed") == 2)
    #expect(try count("uncertain") == 1)
    #expect(try count("rejected") == 0)
    let timer = try factory.expectTimer("belfry_delivery_duration", [("channel", "push")])
    #expect(timer.values.count == 4)
  }

  @Test func `a worker counts and traces each attempt of a message`() async throws {
    let tracer = InMemoryTracer()
    let bench = DispatchBench(ladderLeadsBack: false)
    try await bench.send(try DispatchBench.message(["ann", "ben"]))
    let channel = ScriptedChannel { target, _ in
      target == "ann" ? .delivered(providerID: "p") : .rejected(reason: "550 ben@example.org")
    }
    try await withMetricsFactory(factory) {
      try await withTracer(tracer) { try await bench.worker(channel).run() }
    }
    #expect(try count("delivered", "email") == 1)
    #expect(try count("rejected", "email") == 1)
    let attempts = tracer.finishedSpans.filter { $0.operationName == "deliver email" }
    #expect(attempts.count == 2)
    #expect(attempts.allSatisfy { $0.kind == .client })
    #expect(attempts.filter { $0.status?.code == .error }.count == 1)
    // In the message's own trace, and without anything that a provider says.
    let message = try #require(tracer.finishedSpans.first { $0.operationName.hasPrefix("process") })
    #expect(attempts.allSatisfy { $0.traceID == message.traceID && $0.parentSpanID != nil })
    #expect(!attempts.contains { "\($0.attributes) \($0.errors)".contains("example.org") })
  }
}
