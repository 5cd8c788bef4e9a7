import HTTPTypes
import InMemoryTracing
import Metrics
import MetricsTestKit
import Testing
import Tracing

@testable import Gateway

@Suite struct TelemetryTests {
  @Test func `a request is measured by method, route and status, never by its path`() async throws {
    let metrics = TestMetrics()
    try await withMetricsFactory(metrics) {
      try await TestGateway.withoutDatabase { gateway in
        for id in ["0199a0b0-0000-7000-8000-000000000001", "0199a0b0-0000-7000-8000-000000000002"] {
          _ = try await gateway.call(.get, "/api/v1/notifications/\(id)")
        }
        _ = try await gateway.call(.get, "/nowhere/1")
        _ = try await gateway.call(HTTPRequest.Method("BREW")!, "/nowhere/2")
        _ = try await gateway.call(HTTPRequest.Method("BREW")!, "/api/v1/devices")
      }
    }
    let timers = metrics.timers.filter { $0.label == "belfry_gateway_request_duration" }
    let counts = Dictionary(
      uniqueKeysWithValues: timers.map { timer in
        (timer.dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: " "), timer.values.count)
      }
    )
    #expect(
      counts == [
        "method=GET route=/api/v1/notifications/{id} status=401": 2, "method=any route=none status=404": 2,
        "method=any route=none status=405": 1,
      ]
    )
  }

  @Test func `a request goes on with its caller's trace, under the name of its route`() async throws {
    let tracer = InMemoryTracer()
    try await withTracer(tracer) {
      try await TestGateway.withoutDatabase { gateway in
        let trace = try #require(HTTPField.Name(InMemoryTracer.traceIDKey))
        let parent = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
        _ = try await gateway.call(.get, "/health/live", headers: [trace: "a-trace", parent: "a-span"])
      }
    }
    let span = try #require(tracer.finishedSpans.first)
    #expect(span.operationName == "GET /health/live")
    #expect(span.traceID == "a-trace")
    #expect(span.parentSpanID == "a-span")
    #expect(span.kind == .server)
    #expect(span.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
  }

  @Test func `without a backend nothing stands in a request's way`() {
    #expect(TelemetryMiddleware<GatewayContext>() == nil)
  }
}
