import Testing

@testable import Broker

extension RealBroker {
  struct Managing {
    private let broker: TestBroker
    private let queue = unique("admin")
    private var topology: BrokerTopology { BrokerTopology(queues: [.quorum(queue)]) }

    init() throws { broker = try TestBroker.require() }

    private func publish(_ count: Int) async throws {
      try await broker.withPublisher(topology) { publisher in
        for number in 0..<count { try await publisher.publish(numbered(number), exchange: "", routingKey: queue) }
      }
    }

    @Test func `depth and consumers are counted`() async throws {
      try await publish(3)
      let admin = try broker.admin
      #expect(try await admin.status(of: queue) == BrokerQueueStatus(ready: 3, consumers: 0))
      #expect(try await admin.depth(of: queue) == 3)
      #expect(try await admin.purge(queue) == 3)
      #expect(try await admin.depth(of: queue) == 0)
      try await admin.delete(queue)
      let error = await #expect(throws: BrokerError.self) { try await admin.depth(of: queue) }
      #expect(error?.code == .notFound)
    }

    @Test func `fetched messages may be removed, given back or left`() async throws {
      try await publish(5)
      let admin = try broker.admin
      let shown = try await admin.withMessages(queue: queue, limit: 4) { fetch in
        try await fetch.acknowledge(fetch.messages[1])
        try await fetch.requeue(fetch.messages[2])
        return fetch.messages.map(\.text)
      }
      #expect(shown == ["0", "1", "2", "3"])
      try await eventually("what was left is back") { try await admin.depth(of: queue) == 4 }
      let rest = try await broker.receive(4, from: queue).map(\.text)
      #expect(rest.sorted() == ["0", "2", "3", "4"])
    }

    @Test func `an empty queue gives no messages`() async throws {
      let admin = try broker.admin
      try await admin.declare(topology)
      let count = try await admin.withMessages(queue: queue, limit: 10) { $0.messages.count }
      #expect(count == 0)
    }

    @Test func `an error in the scope leaves every message in the queue`() async throws {
      struct Failure: Error {}
      try await publish(2)
      let admin = try broker.admin
      await #expect(throws: Failure.self) {
        try await admin.withMessages(queue: queue, limit: 2) { _ in throw Failure() }
      }
      try await eventually("both are back") { try await admin.depth(of: queue) == 2 }
    }
  }
}
