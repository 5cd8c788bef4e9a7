import Broker
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import Dispatching

/// In a rolling upgrade routers may write what the dispatchers of the version before cannot read.
@Suite(.timeLimit(.minutes(2))) struct LaterVersionTests {
  /// Seconds since it was written; nil where it does not say.
  @Test(arguments: [(0, true), (500, true), (700, false), (nil, false)] as [(Double?, Bool)])
  func `what a later version wrote waits ten minutes for a dispatcher of that version, and then is dead-lettered`(
    age: Double?,
    waits: Bool
  ) async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    let body = Array(#"{"v":999,"whatever":[]}"#.utf8)
    let message = BrokerMessage(body: body, type: bench.queue, timestamp: age.map { Date.now - $0 })
    try await bench.broker.publish(message, exchange: Topology.dispatchExchange, routingKey: bench.queue)
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    try await bench.worker(channel).run()
    #expect(bench.broker.messages(in: "ladder").map(\.body) == (waits ? [body] : []))
    #expect(bench.broker.messages(in: bench.deadQueue).map(\.body) == (waits ? [] : [body]))
    // Its age is that of the first.
    #expect(bench.broker.messages(in: "ladder").allSatisfy { $0.timestamp == message.timestamp })
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
    #expect(channel.tries == 0)
  }
}
