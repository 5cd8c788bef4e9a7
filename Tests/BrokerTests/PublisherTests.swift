import Foundation
import TestSupport
import Testing

@testable import Broker

extension RealBroker {
  struct Publishing {
    private let broker: TestBroker
    private let queue = unique("publish")
    private var topology: BrokerTopology { BrokerTopology(queues: [.quorum(queue)]) }

    init() throws { broker = try TestBroker.require() }

    @Test func `a hundred callers share one connection`() async throws {
      try await broker.withPublisher(topology) { publisher in
        try await withThrowingDiscardingTaskGroup { group in
          for caller in 0..<100 {
            group.addTask {
              for number in 0..<20 {
                try await publisher.publish(numbered(caller * 20 + number), exchange: "", routingKey: queue)
              }
            }
          }
        }
      }
      let texts = try await broker.receive(2_000, from: queue).map(\.text)
      #expect(Set(texts) == Set((0..<2_000).map(String.init)))
      #expect(texts.count == 2_000)
    }

    @Test func `a publish to nowhere fails, and only that one`() async throws {
      let failed = try await broker.withPublisher(topology) { publisher in
        try await withThrowingTaskGroup(of: Int?.self) { group in
          for number in 0..<100 {
            group.addTask {
              do throws(BrokerError) {
                try await publisher.publish(
                  numbered(number),
                  exchange: "",
                  routingKey: number % 10 == 3 ? "nowhere" : queue
                )
                return nil
              } catch {
                #expect(error.code == .unroutable)
                return number
              }
            }
          }
          return try await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
        }
      }
      #expect(failed == Set((0..<100).filter { $0 % 10 == 3 }))
      #expect(try await broker.receive(90, from: queue).count == 90)
    }

    @Test func `a message that need not arrive may go nowhere`() async throws {
      try await broker.withPublisher { publisher in
        try await publisher.publish(numbered(1), exchange: "", routingKey: "nowhere", mandatory: false)
      }
    }

    @Test func `a full queue refuses, and the next publish may succeed`() async throws {
      let full = BrokerTopology(queues: [
        .quorum(queue, arguments: ["x-max-length": 1, "x-overflow": "reject-publish"])
      ])
      try await broker.withPublisher(full) { publisher in
        var refused: BrokerError?
        for number in 0..<50 where refused == nil {
          do throws(BrokerError) {
            try await publisher.publish(numbered(number), exchange: "", routingKey: queue)
          } catch {
            refused = error
          }
        }
        #expect(refused?.code == .nacked)
        #expect(refused?.isTransient == true)
        try await broker.admin.purge(queue)
        try await eventually("the queue takes messages again") {
          do {
            try await publisher.publish(numbered(0), exchange: "", routingKey: queue)
            return true
          } catch let error as BrokerError where error.code == .nacked {
            return false
          }
        }
      }
    }

    @Test func `an unknown exchange is reported to its caller, and the publisher recovers`() async throws {
      try await broker.withPublisher(topology) { publisher in
        let error = await #expect(throws: BrokerError.self) {
          try await publisher.publish(numbered(1), exchange: "missing-exchange", routingKey: "x")
        }
        #expect(error?.code == .notFound)
        try await publisher.publish(numbered(2), exchange: "", routingKey: queue)
      }
    }

    @Test func `every property and kind of header comes back as it went`() async throws {
      let message = BrokerMessage(
        body: [0, 255, 10],
        messageID: "id",
        contentType: "application/json",
        type: "request",
        appID: "tests",
        correlationID: "trace",
        timestamp: Date(timeIntervalSince1970: 1_700_000_000),
        isPersistent: true,
        expiration: .seconds(3_600),
        headers: [
          "string": "grüße", "empty": "", "integer": .integer(.min), "true": true, "false": false, "double": 2.5,
          "timestamp": .timestamp(Date(timeIntervalSince1970: 1_600_000_000)), "bytes": .bytes([0, 254]),
          "table": ["inner": ["deep": 1]], "array": [1, "two", [3.5], ["four": .null]], "null": .null,
          "emptyTable": .table([:]), "emptyArray": .array([]),
        ]
      )
      try await broker.withPublisher(topology) { try await $0.publish(message, exchange: "", routingKey: queue) }
      let delivery = try #require(try await broker.receive(1, from: queue).first)
      #expect(delivery.message == message)
      #expect(delivery.exchange == "")
      #expect(delivery.routingKey == queue)
      #expect(!delivery.redelivered)
      #expect(delivery.deliveryCount == 0)
    }

    @Test func `ten megabytes pass`() async throws {
      let body = (0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try await broker.withPublisher(topology) {
        try await $0.publish(BrokerMessage(body: body), exchange: "", routingKey: queue)
      }
      let delivery = try #require(try await broker.receive(1, from: queue).first)
      #expect(delivery.message.body == body)
    }

    @Test func `bodies at the edges of a frame arrive whole, written together with small ones`() async throws {
      let payload = 131_072 - 8
      let sizes = [0, 1, payload - 1, payload, payload + 1, 2 * payload, 2 * payload + 1, 3, 700, 0]
      try await broker.withPublisher(topology) { publisher in
        try await withThrowingDiscardingTaskGroup { group in
          for (index, size) in sizes.enumerated() {
            group.addTask {
              let message = BrokerMessage(body: [UInt8](repeating: UInt8(index), count: size), messageID: "\(index)")
              try await publisher.publish(message, exchange: "", routingKey: queue)
            }
          }
        }
      }
      let arrived = try await broker.receive(sizes.count, from: queue)
      for message in arrived.map(\.message) {
        let index = try #require(message.messageID.flatMap { Int($0) })
        #expect(message.body == [UInt8](repeating: UInt8(index), count: sizes[index]), "\(index)")
      }
      #expect(Set(arrived.map(\.message.messageID)).count == sizes.count)
    }

    @Test func `what can't be sent is refused before anything is written`() async throws {
      try await broker.withPublisher(topology) { publisher in
        let long = String(repeating: "x", count: 256)
        let bad: [(BrokerMessage, String, BrokerError.Code)] = [
          (BrokerMessage(body: [UInt8](repeating: 0, count: 17 * 1_024 * 1_024)), queue, .messageTooLarge),
          (
            BrokerMessage(body: [], headers: ["h": .bytes([UInt8](repeating: 0, count: 131_072))]), queue,
            .messageTooLarge
          ),
          (BrokerMessage(body: [], headers: ["h": [.table([long: 1])]]), queue, .invalidMessage),
          (BrokerMessage(body: [], messageID: long), queue, .invalidMessage),
          (BrokerMessage(body: []), long, .invalidMessage),
        ]
        for (message, key, code) in bad {
          let error = await #expect(throws: BrokerError.self) {
            try await publisher.publish(message, exchange: "", routingKey: key)
          }
          #expect(error?.code == code)
        }
        try await publisher.publish(BrokerMessage(body: []), exchange: "", routingKey: queue)
        #expect(publisher.state == .connected)
      }
      #expect(try await broker.receive(1, from: queue).map(\.message.body) == [[]])
    }

    @Test func `a cancelled caller returns at once and the others don't notice`() async throws {
      try await broker.withPublisher(topology) { publisher in
        let codes = await withTaskGroup(of: BrokerError.Code?.self) { group in
          for number in 0..<100 {
            group.addTask {
              await withTaskGroup(of: BrokerError.Code?.self) { inner in
                inner.addTask {
                  do throws(BrokerError) {
                    try await publisher.publish(numbered(number), exchange: "", routingKey: queue)
                    return nil
                  } catch {
                    return error.code
                  }
                }
                if number % 2 == 1 { inner.cancelAll() }
                return await inner.next()!
              }
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } >= 50)
        #expect(codes.allSatisfy { $0 == nil || $0 == .cancelled })
        try await publisher.publish(numbered(100), exchange: "", routingKey: queue)
      }
    }

    @Test func `without a broker a publish fails soon, and too many waiting are turned away`() async throws {
      let configuration = try BrokerConfiguration(url: "amqp://127.0.0.1:1/")
      let publisher = BrokerPublisher(configuration: configuration, maximumUnconfirmed: 1, logger: .quiet)
      await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await publisher.run() }
        let codes = await withTaskGroup(of: BrokerError?.self) { calls in
          for number in 0..<20 {
            calls.addTask {
              do throws(BrokerError) {
                try await publisher.publish(numbered(number), exchange: "", routingKey: "x")
                return nil
              } catch {
                return error
              }
            }
          }
          return await calls.reduce(into: [BrokerError?]()) { $0.append($1) }
        }
        #expect(codes.count { $0?.code == .unavailable } == 4)
        #expect(codes.count { $0?.code == .overloaded } == 16)
        #expect(codes.allSatisfy { $0?.isTransient == true })
        #expect(publisher.state == .disconnected)
        group.cancelAll()
      }
    }

    @Test func `shutting down waits for confirms and refuses new publishes`() async throws {
      let publisher = BrokerPublisher(
        configuration: try broker.configuration(),
        topology: topology,
        logger: .quiet
      )
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await publisher.run() }
        try await eventually("connected") { publisher.state == .connected }
        let results = await withTaskGroup(of: BrokerError?.self) { calls in
          for number in 0..<200 {
            calls.addTask {
              do throws(BrokerError) {
                try await publisher.publish(numbered(number), exchange: "", routingKey: queue)
                return nil
              } catch {
                return error
              }
            }
          }
          _ = await calls.next()
          group.cancelAll()
          return await calls.reduce(into: [BrokerError?]()) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0 == nil || $0?.code == .closed })
        try await group.waitForAll()
        #expect(publisher.state == .disconnected)
        let stored = results.count { $0 == nil } + 1
        #expect(try await broker.admin.depth(of: queue) == stored)
      }
    }
  }
}
