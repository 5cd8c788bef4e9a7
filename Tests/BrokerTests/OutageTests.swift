import Foundation
import LocalStack
import TestSupport
import Testing

@testable import Broker

extension RealBroker {
  struct Outages {
    private let broker: TestBroker
    private let queue = unique("outage")
    private var topology: BrokerTopology { BrokerTopology(queues: [.quorum(queue)]) }

    init() throws { broker = try TestBroker.require() }

    /// Declares the queue and lets the broker finish with it: RabbitMQ 3.10 writes the list of quorum queues half a
    /// second late, and one that is killed before that has lost the new queue's messages.
    private func declareForGood() async throws {
      try await broker.admin.declare(topology)
      try await broker.server.control(["eval", "[ok = dets:sync(Table) || Table <- dets:all()]."])
    }

    private struct Tally {
      var confirmed: Set<Int> = []
      var transient = 0
      var other: [BrokerError] = []
    }

    @Test func `the broker killed in mid-publishing answers everybody and loses nothing it confirmed`() async throws {
      try await declareForGood()
      let tally = Shared(Tally())
      let isOver = Shared(false)
      try await broker.withPublisher(topology) { publisher in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for caller in 0..<100 {
            group.addTask {
              var id = caller * 1_000_000
              while !isOver.withLock(\.self) {
                id += 1
                do throws(BrokerError) {
                  try await publisher.publish(numbered(id), exchange: "", routingKey: queue)
                  tally.withLock { _ = $0.confirmed.insert(id) }
                } catch {
                  tally.withLock { if error.isTransient { $0.transient += 1 } else { $0.other.append(error) } }
                  // As any caller would: not in a tight loop.
                  try await Task.sleep(for: .milliseconds(50))
                }
              }
            }
          }
          try await eventually("publishing") { tally.withLock { $0.confirmed.count } > 2_000 }
          await broker.server.kill()
          let before = tally.withLock { $0.confirmed.count }
          try await eventually("disconnected") { publisher.state == .disconnected }
          try await broker.server.restart()
          try await eventually("publishing again") { tally.withLock { $0.confirmed.count } > before + 2_000 }
          isOver.withLock { $0 = true }
          try await group.waitForAll()
        }
      }
      let result = tally.withLock(\.self)
      #expect(result.transient > 0)
      #expect(result.other.isEmpty)
      let consumer = try broker.consumer(queue, prefetch: 1_000, maximumBatch: 500)
      let missing = try await withDeadline {
        var missing = result.confirmed
        try await consumer.run { batches in
          for await batch in batches {
            for delivery in batch { missing.remove(Int(delivery.text) ?? -1) }
            consumer.acknowledge(batch)
            if missing.isEmpty { return }
          }
        }
        return missing
      }
      #expect(missing.isEmpty)
    }

    @Test func `a consumer goes on after the broker was killed and restarted`() async throws {
      try await declareForGood()
      try await broker.withPublisher(topology) { publisher in
        for number in 0..<10 { try await publisher.publish(numbered(number), exchange: "", routingKey: queue) }
      }
      let consumer = try broker.consumer(queue)
      let seen = Shared<Set<String>>([])
      try await withDeadline(.seconds(120)) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            try await consumer.run { batches in
              for await batch in batches {
                seen.withLock { $0.formUnion(batch.map(\.text)) }
                // The first ones are left unacknowledged and come again.
                if batch.contains(where: \.redelivered) || batch.contains(where: { $0.text == "last" }) {
                  consumer.acknowledge(batch)
                }
              }
            }
          }
          try await eventually("all came") { seen.withLock(\.count) == 10 }
          await broker.server.kill()
          try await eventually("noticed") { !consumer.isReady }
          try await broker.server.restart()
          try await eventually("ready again") { consumer.isReady }
          try await broker.withPublisher { publisher in
            try await publisher.publish(
              BrokerMessage(body: Array("last".utf8)),
              exchange: "",
              routingKey: queue
            )
          }
          try await eventually("the last one came") { seen.withLock { $0.contains("last") } }
          try await eventually("nothing is left") {
            try await broker.admin.depth(of: queue) == 0
          }
          consumer.stop()
          try await group.waitForAll()
        }
      }
      #expect(try await broker.admin.depth(of: queue) == 0)
    }

    @Test func `an alarm of the broker turns into back-pressure and passes`() async throws {
      try await broker.withPublisher(topology) { publisher in
        try await broker.server.setMemoryAlarm(true)
        do {
          // RabbitMQ announces the alarm to a connection when that publishes.
          try await eventually("blocked") {
            do {
              try await publisher.publish(numbered(0), exchange: "", routingKey: queue)
              return publisher.state == .blocked
            } catch let error as BrokerError {
              return error.code == .blocked
            }
          }
          #expect(publisher.state == .blocked)
          let start = ContinuousClock.now
          let error = await #expect(throws: BrokerError.self) {
            try await publisher.publish(numbered(1), exchange: "", routingKey: queue)
          }
          #expect(error?.code == .blocked)
          #expect(error?.isTransient == true)
          #expect(start.duration(to: .now) < .seconds(1))
          try await broker.server.setMemoryAlarm(false)
        } catch {
          try await broker.server.setMemoryAlarm(false)
          throw error
        }
        try await eventually("unblocked") { publisher.state == .connected }
        try await publisher.publish(numbered(2), exchange: "", routingKey: queue)
      }
    }

    @Test func `heartbeats keep an idle connection`() async throws {
      let recorder = LogRecorder()
      let consumer = try broker.consumer(queue, logger: recorder.logger) { $0.heartbeat = .seconds(1) }
      try await broker.withPublisher(topology, configuration: { $0.heartbeat = .seconds(1) }) { publisher in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await consumer.run { batches in for await _ in batches {} } }
          try await eventually("ready") { consumer.isReady }
          // The broker gives up after two silent intervals: time itself is what is tested here.
          let end = ContinuousClock.now + .seconds(5)
          try await eventually("five intervals have passed") {
            #expect(publisher.state == .connected)
            #expect(consumer.isReady)
            return ContinuousClock.now > end
          }
          try await publisher.publish(numbered(1), exchange: "", routingKey: queue)
          consumer.stop()
          try await group.waitForAll()
        }
      }
      #expect(recorder.all.count { $0.text.contains("connected") } == 1)
    }

    @Test func `a broker that stopped dead is noticed by its silence`() async throws {
      let answer = try await broker.server.control(["eval", "os:getpid()."])
      let pid = try #require(Int32(answer.filter(\.isNumber)))
      let consumer = try broker.consumer(queue) { $0.heartbeat = .seconds(1) }
      try await broker.withPublisher(topology, configuration: { $0.heartbeat = .seconds(1) }) { publisher in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await consumer.run { batches in for await _ in batches {} } }
          try await eventually("ready") { consumer.isReady }
          #expect(kill(pid, SIGSTOP) == 0)
          defer { kill(pid, SIGCONT) }
          try await eventually("it stands still") { try ThreadStates.areStopped(in: pid) }
          let error = await #expect(throws: BrokerError.self) {
            try await publisher.publish(numbered(1), exchange: "", routingKey: queue)
          }
          #expect(error?.code == .connectionLost)
          try await eventually("both have noticed", within: .seconds(5)) {
            publisher.state == .disconnected && !consumer.isReady
          }
          kill(pid, SIGCONT)
          try await eventually("both are back") { publisher.state == .connected && consumer.isReady }
          consumer.stop()
          try await group.waitForAll()
        }
      }
    }
  }
}
