import Broker
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import Router

/// Whatever is published to `belfry.ingest`, the router's first look at it ends in something to do.
@Suite struct IngestFuzzTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let requests = [
    #"""
    {"to":{"users":["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]},"type":10,"title":"T","body":"B",
    "data":{"amount":"$1","balance":"$2"}}
    """#,
    #"{"to":{"group":"family:1","except":["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]},"type":12}"#,
  ].map { Array($0.utf8) }
  private static let events = [
    #"""
    {"name":"TransactionCreated","audience":{"users":["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]},
    "payload":{"childId":"c","amount":42.5,"balanceAfter":1}}
    """#,
    #"""
    {"name":"BalanceUpdated","audience":{"users":["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]},
    "payload":{"childId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b","newBalance":42.5,"previousBalance":1}}
    """#,
    #"""
    {"name":"GoalUpdated","occurredAt":"2026-01-01T00:00:00Z","payload":{"userId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b",
    "goalId":"g","goalName":"Bike","currentAmount":26,"targetAmount":1e2,"targetDate":"2027-01-30"}}
    """#,
  ].map { Array($0.utf8) }

  /// Messages with bodies, properties and keys of any kind.
  private static func messages() throws -> [(message: BrokerMessage, key: String)] {
    var random = SplitMix64(seed: 21)
    let ids = ["", "m", RequestID(now: now).description, "ffffffff-ffff-7fff-8fff-ffffffffffff", "\u{0}"]
    var messages: [(message: BrokerMessage, key: String)] = []
    func add(_ body: [UInt8], type: String, key: String) {
      let message = BrokerMessage(
        body: body,
        messageID: random.below(2) == 0 ? nil : ids[random.below(ids.count)],
        // Now and then as something that it is not.
        type: random.below(8) == 0 ? "belfry.chunk" : type,
        appID: random.below(2) == 0 ? nil : "app"
      )
      messages.append((message, random.below(8) == 0 ? ["request", "event", ""][random.below(3)] : key))
    }
    for (bodies, type, key) in [(requests, "belfry.request", "request"), (events, "belfry.event", "event")] {
      for body in bodies.flatMap(HostileBodies.withEdgeNumbers) + HostileBodies.damaged(bodies) {
        add(body, type: type, key: key)
      }
    }
    for chunk in try HostileMessages.chunks() { add(chunk.body, type: RoutingOrder.chunkType, key: "request") }
    return messages
  }

  @Test func `bodies, properties and keys of any kind`() throws {
    let decoder = IngestDecoder(catalogue: try Catalogue())
    var (count, invalid, relays) = (0, 0, RelayBatch())
    for (message, key) in try Self.messages() {
      count += 1
      switch decoder.decode(message, routingKey: key, now: Self.now) {
      case .relay(let event):
        if case .users(let users) = event.audience { relays.add(event, to: users) }
      case .invalid(let reason), .refused(let reason), .unknown(let reason):
        invalid += 1
        #expect(!reason.isEmpty)
      default: break
      }
    }
    _ = relays.take()
    // Neither all nor none: the fuzzing reaches beyond the parser.
    #expect((count / 2..<count - 100).contains(invalid), "\(invalid) of \(count)")
  }

  /// The age of the samples' requests, which are kept then.
  @Test(.timeLimit(.minutes(5)), arguments: [now, Date(timeIntervalSince1970: 1_763_300_000)])
  func `the router settles each of them, and dead-letters what it cannot route`(now: Date) async throws {
    var router = TestRouter()
    router.clock = { now }
    let good = UserID(UUID())
    var rest = try Self.messages()[...]
    while !rest.isEmpty {
      for (message, key) in rest.prefix(500) {
        // With another key it does not come to the router.
        let key = key == Topology.eventKey ? key : Topology.requestKey
        try await router.broker.publish(message, exchange: Topology.ingestExchange, routingKey: key)
      }
      rest = rest.dropFirst(500)
      try await router.run()
    }
    #expect(router.isDone)
    #expect(!router.deadLettered.isEmpty)
    #expect(!router.stores.stored.isEmpty)
    try await router.publish(TestRouter.body([good]), id: "good")
    try await router.run()
    #expect(router.stores.stored[good] == 1)
  }
}
