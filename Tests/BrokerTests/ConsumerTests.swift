import LocalStack
import Logging
import TestSupport
import Testing

@testable import Broker

extension RealBroker {
  struct Consuming {
    private let broker: TestBroker
    private let queue = unique("consume")
    private var topology: BrokerTopology { BrokerTopology(queues: [.quorum(queue)]) }

    init() throws { broker = try TestBroker.require() }

    private func publish(_ numbers: Range<Int>) async throws {
      try await broker.withPublisher(topology) { publisher in
        try await withThrowingDiscardingTaskGroup { group in
          for number in numbers {
            group.addTask { try await publisher.publish(numbered(number), exchange: "", routingKey: queue) }
          }
        }
      }
    }

    @Test func `batches are never empty and never above the maximum`() async throws {
      try await publish(0..<500)
      let consumer = try broker.consumer(queue, prefetch: 200, maximumBatch: 30)
      let sizes = try await withDeadline {
        var sizes: [Int] = []
        try await consumer.run { batches in
          for await batch in batches {
            sizes.append(batch.count)
            consumer.acknowledge(batch)
            if sizes.reduce(0, +) >= 500 { return }
          }
        }
        return sizes
      }
      #expect(sizes.allSatisfy { (1...30).contains($0) })
      #expect(sizes.contains(30))
      #expect(try await broker.admin.depth(of: queue) == 0)
    }

    @Test func `no more than the prefetch is out at a time`() async throws {
      try await publish(0..<50)
      let consumer = try broker.consumer(queue, prefetch: 10)
      try await withDeadline {
        try await consumer.run { batches in
          var open: [BrokerDelivery] = []
          for await batch in batches {
            open += batch
            if open.count == 10 { break }
          }
          let admin = try broker.admin
          #expect(try await admin.depth(of: queue) == 40)
          // One out of the middle makes room for one more.
          consumer.acknowledge([open[5]])
          for await batch in batches {
            #expect(batch.count == 1)
            break
          }
          #expect(try await admin.depth(of: queue) == 39)
        }
      }
      // Unacknowledged: back in the queue after the end.
      try await eventually("all but one are back") { try await broker.admin.depth(of: queue) == 49 }
    }

    @Test func `a rejected message comes again, marked, or goes to the dead-letter queue`() async throws {
      let dead = queue + ".dead"
      let topology = BrokerTopology(queues: [
        .quorum(queue, arguments: ["x-dead-letter-exchange": "", "x-dead-letter-routing-key": .string(dead)]),
        .quorum(dead),
      ])
      try await broker.withPublisher(topology) { try await $0.publish(numbered(1), exchange: "", routingKey: queue) }
      let consumer = try broker.consumer(queue, topology: topology)
      try await withDeadline {
        try await consumer.run { batches in
          for await delivery in batches.compactMap(\.first) {
            if delivery.deliveryCount < 2 {
              #expect(delivery.redelivered == (delivery.deliveryCount > 0))
              consumer.reject(delivery, requeue: true)
            } else {
              consumer.reject(delivery, requeue: false)
              return
            }
          }
        }
      }
      let deadLettered = try #require(try await broker.receive(1, from: dead).first)
      #expect(deadLettered.text == "1")
      #expect(deadLettered.message.headers["x-death"]?.arrayValue?.first?.tableValue?["reason"] == "rejected")
    }

    @Test(arguments: [true, false])
    func `a message that comes back too often goes to the dead-letter queue`(byDeath: Bool) async throws {
      let dead = queue + ".dead"
      let topology = BrokerTopology(queues: [
        .quorum(
          queue,
          arguments: [
            "x-delivery-limit": 3, "x-dead-letter-exchange": "", "x-dead-letter-routing-key": .string(dead),
            "x-dead-letter-strategy": "at-least-once", "x-overflow": "reject-publish",
          ]
        ),
        .quorum(dead),
      ])
      try await broker.withPublisher(topology) { try await $0.publish(numbered(1), exchange: "", routingKey: queue) }
      var deliveries = 0
      while try await broker.admin.depth(of: dead) == 0 {
        if byDeath {
          let consumer = try broker.consumer(queue, topology: topology)
          try await withDeadline {
            try await consumer.run { batches in for await batch in batches where !batch.isEmpty { return } }
          }
        } else {
          try await broker.admin.withMessages(queue: queue) { fetch in
            for message in try await fetch.take(1) { try await fetch.requeue(message) }
          }
        }
        deliveries += 1
        try await eventually("the message is somewhere") {
          let admin = try broker.admin
          return try await admin.depth(of: queue) + admin.depth(of: dead) == 1
        }
      }
      // The first delivery, and as many repetitions as the limit says.
      #expect(deliveries == 4)
      let deadLettered = try #require(try await broker.receive(1, from: dead).first)
      let death = try #require(deadLettered.message.headers["x-death"]?.arrayValue?.first?.tableValue)
      #expect(death["reason"] == "delivery_limit")
      #expect(death["queue"] == .string(queue))
      #expect(death["routing-keys"] == [.string(queue)])
    }

    @Test(arguments: [Int64.max, .min, -1])
    func `a delivery count that a sender made up is no number to stumble over`(count: Int64) async throws {
      let message = BrokerMessage(body: [1], headers: ["x-delivery-count": .integer(count)])
      try await broker.withPublisher(topology) { try await $0.publish(message, exchange: "", routingKey: queue) }
      let delivery = try #require(try await broker.receive(1, from: queue).first)
      #expect((0...Int(Int32.max)).contains(delivery.deliveryCount))
    }

    @Test func `after stop the body may still acknowledge, and the rest returns to the queue`() async throws {
      try await publish(0..<20)
      let consumer = try broker.consumer(queue, prefetch: 20, maximumBatch: 5)
      let acknowledged = try await withDeadline {
        var first: [BrokerDelivery] = []
        try await consumer.run { batches in
          try await eventually("all are on their way") { try await broker.admin.depth(of: queue) == 0 }
          for await batch in batches where first.isEmpty {
            first = batch
            if !first.isEmpty { consumer.stop() }
          }
          consumer.acknowledge(first)
        }
        return first.count
      }
      // A batch is what has come by then.
      #expect((1...5).contains(acknowledged))
      try await eventually("the others are back") { try await broker.admin.depth(of: queue) == 20 - acknowledged }
      #expect(try await broker.receive(20 - acknowledged, from: queue).allSatisfy(\.redelivered))
    }

    @Test func `cancelling the task ends the sequence`() async throws {
      let consumer = try broker.consumer(queue)
      try await withDeadline {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await consumer.run { batches in for await _ in batches {} } }
          try await eventually("ready") { consumer.isReady }
          group.cancelAll()
          try await group.waitForAll()
        }
      }
      #expect(!consumer.isReady)
    }

    @Test func `an error of the body passes through, and nothing is lost`() async throws {
      struct Failure: Error {}
      try await publish(0..<3)
      let consumer = try broker.consumer(queue)
      await #expect(throws: Failure.self) {
        try await withDeadline { try await consumer.run { batches in for await _ in batches { throw Failure() } } }
      }
      try await eventually("all are back") { try await broker.admin.depth(of: queue) == 3 }
    }

    @Test func `two consumers share a queue`() async throws {
      let seen = Shared<[[String]]>([[], []])
      let consumers = try [0, 1].map { _ in try broker.consumer(queue, prefetch: 10) }
      try await withDeadline {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (index, consumer) in consumers.enumerated() {
            group.addTask {
              try await consumer.run { batches in
                for await batch in batches {
                  seen.withLock { $0[index] += batch.map(\.text) }
                  consumer.acknowledge(batch)
                }
              }
            }
          }
          try await eventually("both consume") { consumers.allSatisfy(\.isReady) }
          try await publish(0..<500)
          try await eventually("all came") { seen.withLock { $0.flatMap(\.self).count } == 500 }
          consumers.forEach { $0.stop() }
          try await group.waitForAll()
        }
      }
      #expect(Set(seen.withLock { $0.flatMap(\.self) }).count == 500)
      #expect(seen.withLock { $0.allSatisfy { !$0.isEmpty } })
    }

    @Test func `a consumer survives the deletion of its queue`() async throws {
      let reconnects = Shared(0)
      let consumer = try broker.consumer(queue, reconnected: { reconnects.withLock { $0 += 1 } })
      try await withDeadline {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            try await consumer.run { batches in
              for await batch in batches {
                consumer.acknowledge(batch)
                return
              }
            }
          }
          try await eventually("ready") { consumer.isReady }
          try await broker.admin.delete(queue)
          // In between it is not ready, perhaps for a moment only.
          try await eventually("connected again") { reconnects.withLock(\.self) == 1 }
          try await eventually("ready again") { consumer.isReady }
          try await publish(0..<1)
          try await group.waitForAll()
        }
      }
    }

    @Test func `an exclusive queue is made anew after a reconnect`() async throws {
      let exchange = unique("events")
      let topology = BrokerTopology(
        exchanges: [.init(name: exchange)],
        queues: [.exclusive(queue)],
        bindings: [.init(queue: queue, exchange: exchange, key: "7")]
      )
      let reconnects = Shared(0)
      let consumer = try broker.consumer(queue, topology: topology, reconnected: { reconnects.withLock { $0 += 1 } })
      try await withDeadline {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            try await consumer.run { batches in
              for await batch in batches {
                #expect(batch.map(\.exchange) == [exchange])
                #expect(batch.map(\.routingKey) == ["7"])
                return
              }
            }
          }
          try await eventually("ready") { consumer.isReady }
          try await broker.server.closeAllConnections()
          // In between it is not ready, perhaps for a moment only.
          try await eventually("connected again") { reconnects.withLock(\.self) == 1 }
          try await eventually("ready again") { consumer.isReady }
          try await broker.withPublisher { try await $0.publish(numbered(1), exchange: exchange, routingKey: "7") }
          try await group.waitForAll()
        }
      }
    }

    @Test func `an acknowledgement of an earlier connection is ignored`() async throws {
      try await publish(0..<2)
      let consumer = try broker.consumer(queue)
      try await withDeadline {
        try await consumer.run { batches in
          var old: [BrokerDelivery] = []
          for await batch in batches {
            old += batch
            if old.count == 2 { break }
          }
          try await broker.server.closeAllConnections()
          var again: [BrokerDelivery] = []
          for await batch in batches {
            // With the tags of the earlier connection, which are valid on this one too.
            consumer.acknowledge(old)
            again += batch
            if again.count == 2 { break }
          }
          #expect(again.allSatisfy { $0.redelivered })
        }
      }
      try await eventually("both are back") { try await broker.admin.depth(of: queue) == 2 }
    }

    @Test func `a queue with other properties is reported with what to do, and tried again`() async throws {
      let admin = try broker.admin
      try await admin.declare(BrokerTopology(queues: [.init(name: queue)]))
      let recorder = LogRecorder()
      let consumer = try broker.consumer(queue, logger: recorder.logger)
      try await withDeadline {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await consumer.run { batches in for await _ in batches {} } }
          try await eventually("the error is logged") {
            recorder.all.contains {
              $0.level == .error && $0.text.contains(queue) && $0.text.contains("delete it")
            }
          }
          #expect(!consumer.isReady)
          try await admin.delete(queue)
          try await eventually("ready") { consumer.isReady }
          consumer.stop()
          try await group.waitForAll()
        }
      }
    }
  }
}
