import Foundation
import InMemoryTracing
import Metrics
import MetricsTestKit
import NotificationModel
import SignalRProtocol
import TestSupport
import Testing
import Tracing

@testable import InAppDispatcher

@Suite struct TelemetryTests {
  private let metrics = TestMetrics()

  @Test func `open connections are counted by transport`() async throws {
    func open(_ transport: HubTransport) throws -> Double? {
      try metrics.expectMeter("belfry_inapp_connections", [("transport", transport.rawValue)]).lastValue
    }
    try await withMetricsFactory(metrics) {
      try await TestHub.run { hub in
        let anna = UserID.random()
        let sockets = [try await hub.connect(anna), try await hub.connect(anna)]
        let stream = try await TestEventStream.open(hub, anna)
        let polls = try await TestPolling.open(hub, anna)
        #expect(try open(.webSockets) == 2)
        #expect(try open(.serverSentEvents) == 1)
        #expect(try open(.longPolling) == 1)
        await sockets[0].close()
        await stream.events.close()
        #expect(try await polls.delete().status == 202)
        try await eventually("those that ended are not counted as open") {
          try open(.webSockets) == 1 && open(.serverSentEvents) == 0 && open(.longPolling) == 0
        }
      }
    }
    #expect(try open(.webSockets) == 0)
  }

  @Test func `answers are counted by method, route and status, never by what the client wrote`() async throws {
    try await withMetricsFactory(metrics) {
      try await TestHub.run { hub in
        let token = try await TestHub.token(.random())
        let client = try await hub.open()
        _ = try await client.request("POST", "/Hubs/Notifications/Negotiate/?x=1", token: token)
        _ = try await client.request("POST", "/hubs/notifications/negotiate?x=2", token: token)
        _ = try await client.request("POST", "/hub/family?id=1", token: token)
        _ = try await client.request("PATCH", "/health/live")
        _ = try await client.request("PUT", "/health/live")
        _ = try await client.request("GET", "/nowhere/1")
        _ = try await client.request("GET", "/nowhere/2")
        _ = try await hub.connect(.random())
      }
    }
    let counters = metrics.counters.filter { $0.label == "belfry_inapp_requests" }
    let counts = Dictionary(
      uniqueKeysWithValues: counters.map {
        ($0.dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: " "), $0.totalValue)
      }
    )
    #expect(
      counts == [
        "method=POST route=/hubs/notifications/negotiate status=200": 2,
        "method=POST route=/hub/family status=404": 1, "method=any route=/health/live status=405": 2,
        "method=any route=none status=404": 2, "method=GET route=/hubs/notifications status=101": 1,
      ]
    )
  }

  @Test func `a backend counts what the hub's own metrics count, under the same names, and events by the batch`()
    async throws
  {
    try await withMetricsFactory(metrics) {
      try await TestHub.run { hub in
        let anna = UserID.random()
        let socket = try await hub.connect(anna)
        try await hub.server.deliver((1...10).map { try TestHub.unread(anna, $0) })
        try await hub.server.deliver([TestHub.unread(anna, 11)])
        for count in 1...11 { #expect(try await socket.message() == TestHub.unreadMessage(count)) }
        #expect(try metrics.expectCounter("belfry_inapp_delivered").values == [10, 1])
        let lines = HubMetrics.text(hub.server.statistics, connections: 1).split(separator: "\n")
        let counters = metrics.counters.filter { $0.label != "belfry_inapp_requests" }
        for counter in counters {
          let labels = counter.dimensions.map { "{\($0.0)=\"\($0.1)\"}" }.joined()
          #expect(lines.contains("\(counter.label)_total\(labels) \(counter.totalValue)"))
        }
        #expect(counters.count == HubStatistics.Event.all.count)
      }
    }
  }

  @Test func `what clients call is timed by method and result, and has a span of its own`() async throws {
    let tracer = InMemoryTracer()
    try await withMetricsFactory(metrics) {
      try await withTracer(tracer) {
        try await TestMethods.run { test in
          let anna = UserID.random()
          try await test.store(3, for: anna)
          let client = try await test.hub.connect(anna)
          try await client.send(.invocation(id: "1", target: "markallasread", arguments: []))
          #expect(try await client.nextMessage() == .completion(id: "1", .value(.null)))
          let unknown = HubValue.string(UUID().uuidString)
          try await client.send(.invocation(id: "2", target: "MarkAsRead", arguments: [unknown]))
          guard case .completion("2", .error) = try await client.nextMessage() else {
            throw TestConnection.Unexpected(what: "no error")
          }
          try await client.send(.resume("3", after: 0))
          #expect(try await client.nextMessage().resultSeqs == [1, 2, 3])
          #expect(try await client.nextMessage().unreadCount == 0)
          // A gap, which the hub fills without a call.
          try await test.store(1, for: anna)
          try await test.send(1, to: anna)
          for seq in 4...5 { #expect(try await client.nextMessage().seq == seq) }
        }
      }
    }
    func count(_ method: String, _ result: String) throws -> Int {
      try metrics.expectTimer("belfry_inapp_call_duration", [("method", method), ("result", result)]).values.count
    }
    #expect(try count("MarkAllAsRead", "done") == 1)
    #expect(try count("MarkAsRead", "failed") == 1)
    #expect(try count("Resume", "done") == 1)
    #expect(try count("gap", "done") == 1)
    let spans = tracer.finishedSpans.filter { $0.attributes["rpc.system"]?.toSpanAttribute() == .string("signalr") }
    #expect(
      spans.map(\.operationName) == [
        "/hubs/notifications/MarkAllAsRead", "/hubs/notifications/MarkAsRead", "/hubs/notifications/Resume",
      ]
    )
    #expect(spans.map(\.status?.code) == [nil, .error, nil])
    #expect(spans.allSatisfy { $0.kind == .server && $0.parentSpanID == nil })
  }
}
