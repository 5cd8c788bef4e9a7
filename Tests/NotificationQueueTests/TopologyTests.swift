import Broker
import NotificationQueue
import Testing

@Suite struct TopologyTests {
  private let topology = Topology.durable(ladder: RetryLadder(delays: [.milliseconds(250), .seconds(60)]))

  private func arguments(of queue: String) throws -> [String: BrokerValue] {
    try #require(topology.queues.first { $0.name == queue }).arguments
  }

  @Test func `everything durable is declared once`() {
    #expect(
      topology.queues.map(\.name).sorted()
        == [
          "belfry.email", "belfry.email.parked", "belfry.email.retry.250ms", "belfry.email.retry.60s", "belfry.ingest",
          "belfry.email.bulk", "belfry.email.bulk.parked", "belfry.email.bulk.retry.250ms",
          "belfry.email.bulk.retry.60s",
          "belfry.ingest.parked", "belfry.ingest.retry", "belfry.push", "belfry.push.parked", "belfry.push.retry.250ms",
          "belfry.push.apns", "belfry.push.apns.parked", "belfry.push.apns.retry.250ms", "belfry.push.apns.retry.60s",
          "belfry.push.retry.60s", "belfry.push.webpush", "belfry.push.webpush.parked",
          "belfry.push.webpush.retry.250ms", "belfry.push.webpush.retry.60s",
        ].sorted()
    )
    #expect(
      topology.exchanges.map(\.name).sorted()
        == ["belfry.dead", "belfry.dispatch", "belfry.ingest", "belfry.realtime", "belfry.retry"]
    )
    #expect(topology.exchanges.allSatisfy { $0.kind == .direct && $0.durable })
  }

  @Test func `every durable queue is a quorum queue and is bound`() {
    for queue in topology.queues {
      #expect(queue.durable && !queue.exclusive && !queue.autoDelete)
      #expect(queue.arguments["x-queue-type"] == "quorum")
      #expect(topology.bindings.contains { $0.queue == queue.name })
    }
  }

  @Test func `a work queue gives up on a message after 100 deliveries and dead-letters it safely`() throws {
    for name in Topology.workQueues {
      let arguments = try arguments(of: name)
      #expect(arguments["x-delivery-limit"] == 100)
      #expect(arguments["x-dead-letter-exchange"] == "belfry.dead")
      #expect(arguments["x-dead-letter-routing-key"]?.stringValue == "\(name).dead")
      #expect(arguments["x-dead-letter-strategy"] == "at-least-once")
      #expect(arguments["x-overflow"] == "reject-publish")
    }
  }

  @Test func `a rung of the ladder holds a message for its delay and sends it back to work`() throws {
    let arguments = try arguments(of: "belfry.push.retry.250ms")
    #expect(arguments["x-message-ttl"] == 250)
    #expect(arguments["x-dead-letter-exchange"] == "belfry.dispatch")
    #expect(arguments["x-dead-letter-routing-key"] == "belfry.push")
    #expect(arguments["x-dead-letter-strategy"] == "at-least-once")
    #expect(
      topology.bindings.contains(
        .init(queue: "belfry.push.retry.250ms", exchange: "belfry.retry", key: "belfry.push.retry.250ms")
      )
    )
  }

  @Test func `ingest messages that wait go back under the key that they came with`() throws {
    let arguments = try arguments(of: "belfry.ingest.retry")
    #expect(arguments["x-message-ttl"] == 60_000)
    #expect(arguments["x-dead-letter-exchange"] == "belfry.ingest")
    #expect(arguments["x-dead-letter-routing-key"] == nil)
    #expect(arguments["x-dead-letter-strategy"] == "at-least-once")
    for key in ["request", "event"] {
      for (queue, exchange) in [("belfry.ingest.retry", "belfry.retry"), ("belfry.ingest", "belfry.ingest")] {
        #expect(topology.bindings.contains(.init(queue: queue, exchange: exchange, key: key)))
      }
    }
  }

  @Test func `dead-lettered messages stay until somebody takes them, however often they are looked at`() throws {
    #expect(try arguments(of: "belfry.push.parked") == ["x-queue-type": "quorum", "x-delivery-limit": .integer(.max)])
  }

  @Test func `the dead-letter queue of an earlier version gets nothing any more`() {
    for name in Topology.workQueues {
      #expect(topology.bindings.contains(.init(queue: "\(name).parked", exchange: "belfry.dead", key: "\(name).dead")))
      #expect(
        topology.retiredBindings.contains(.init(queue: "\(name).dead", exchange: "belfry.dead", key: "\(name).dead"))
      )
      #expect(!topology.bindings.contains { $0.queue == "\(name).dead" })
    }
  }

  @Test func `requests and events both reach the router`() {
    let keys = topology.bindings.filter { $0.queue == "belfry.ingest" }.map(\.key)
    #expect(keys.sorted() == ["event", "request"])
  }

  @Test func `an in-app node's queue goes with it, is bounded and serves every shard`() throws {
    let realtime = Topology.realtime(queue: "node-1")
    let queue = try #require(realtime.queues.first)
    #expect(queue.exclusive && queue.autoDelete && !queue.durable)
    #expect(queue.arguments["x-overflow"] == "drop-head")
    #expect(queue.arguments["x-max-length"] == 100_000)
    #expect(Set(realtime.bindings.map(\.key)) == Set((0..<8).map(String.init)))
    #expect(realtime.bindings.allSatisfy { $0.queue == "node-1" && $0.exchange == "belfry.realtime" })
  }
}
