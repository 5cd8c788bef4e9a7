import TestSupport
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
      let shown = try await admin.withMessages(queue: queue) { fetch in
        let messages = try await fetch.take(4)
        try await fetch.acknowledge(messages[1])
        try await fetch.requeue(messages[2])
        return messages.map(\.text)
      }
      #expect(shown == ["0", "1", "2", "3"])
      try await eventually("what was left is back") { try await admin.depth(of: queue) == 4 }
      let rest = try await broker.receive(4, from: queue).map(\.text)
      #expect(rest.sorted() == ["0", "2", "3", "4"])
    }

    /// RabbitMQ forgets acknowledgements that a channel has taken and not passed on when it is closed.
    @Test func `all that was removed is gone, however many at once`() async throws {
      try await publish(201)
      let admin = try broker.admin
      try await admin.withMessages(queue: queue) { fetch in
        for message in try await fetch.take(201).dropLast() { try await fetch.acknowledge(message) }
      }
      try await eventually("what was left is back") { try await admin.depth(of: queue) > 0 }
      #expect(try await admin.depth(of: queue) == 1)
    }

    @Test func `an empty queue gives no messages`() async throws {
      let admin = try broker.admin
      try await admin.declare(topology)
      let count = try await admin.withMessages(queue: queue) { try await $0.take(10).count }
      #expect(count == 0)
    }

    @Test func `messages are taken in pages, oldest first`() async throws {
      try await publish(250)
      let pages = try await broker.admin.withMessages(queue: queue) { fetch in
        var pages: [[String]] = []
        while pages.last?.isEmpty != true { pages.append(try await fetch.take(100).map(\.text)) }
        return pages
      }
      #expect(pages.map(\.count) == [100, 100, 50, 0])
      #expect(pages.flatMap(\.self) == (0..<250).map(String.init))
    }

    @Test func `what is looked at again and again stays, in its place, where the limit is the largest there is`()
      async throws
    {
      let topology = BrokerTopology(queues: [.quorum(queue, arguments: ["x-delivery-limit": .integer(.max)])])
      try await broker.withPublisher(topology) { publisher in
        for number in 0..<3 { try await publisher.publish(numbered(number), exchange: "", routingKey: queue) }
      }
      let admin = try broker.admin
      for _ in 0..<50 {
        let seen = try await admin.withMessages(queue: queue) { try await $0.take(2).map(\.text) }
        #expect(seen == ["0", "1"])
        try await eventually("they are back") { try await admin.depth(of: queue) == 3 }
      }
    }

    @Test func `bindings of an earlier version are taken away, and unknown ones are fine`() async throws {
      let exchange = unique("exchange")
      let old = unique("old")
      let admin = try broker.admin
      try await admin.declare(
        BrokerTopology(
          exchanges: [.init(name: exchange)],
          queues: [.quorum(old)],
          bindings: [.init(queue: old, exchange: exchange, key: "k")]
        )
      )
      let topology = BrokerTopology(
        queues: [.quorum(queue)],
        bindings: [.init(queue: queue, exchange: exchange, key: "k")],
        retiredBindings: [
          .init(queue: old, exchange: exchange, key: "k"), .init(queue: unique("never"), exchange: exchange, key: "k"),
        ]
      )
      for _ in 0..<2 {
        try await broker.withPublisher(topology) {
          try await $0.publish(numbered(1), exchange: exchange, routingKey: "k")
        }
      }
      #expect(try await admin.depth(of: queue) == 2)
      #expect(try await admin.depth(of: old) == 0)
    }

    @Test func `an error in the scope leaves every message in the queue`() async throws {
      struct Failure: Error {}
      try await publish(2)
      let admin = try broker.admin
      await #expect(throws: Failure.self) {
        try await admin.withMessages(queue: queue) { fetch in
          _ = try await fetch.take(2)
          throw Failure()
        }
      }
      try await eventually("both are back") { try await admin.depth(of: queue) == 2 }
    }
  }
}
