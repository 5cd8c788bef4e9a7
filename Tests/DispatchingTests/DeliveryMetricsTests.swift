import Metrics
import MetricsTestKit
import NotificationModel
import Testing

@testable import Dispatching

@Suite struct DeliveryMetricsTests {
  @Test func `attempts are counted by channel and result, and timed if they reached the provider`() throws {
    let factory = TestMetrics()
    let metrics = DeliveryMetrics(channel: .push, factory: factory)
    metrics.record(.delivered(providerID: "p"), took: .milliseconds(5))
    metrics.record(.delivered(providerID: "p"), took: .milliseconds(7))
    metrics.record(.retry(reason: "INTERNAL", first: .seconds(10)), took: .milliseconds(9))
    metrics.record(.postponed(reason: "QUOTA_EXCEEDED", after: .seconds(1)), took: .zero)
    metrics.record(.abandoned, took: .zero)
    func count(_ result: String) throws -> Int64 {
      try factory.expectCounter("belfry_delivery_attempts", [("channel", "push"), ("result", result)]).totalValue
    }
    #expect(try count("delivered") == 2)
    #expect(try count("retry") == 1)
    #expect(try count("postponed") == 1)
    #expect(try count("rejected") == 0)
    let timer = try factory.expectTimer("belfry_delivery_duration", [("channel", "push")])
    #expect(timer.values == [5_000_000, 7_000_000, 9_000_000])
  }
}
