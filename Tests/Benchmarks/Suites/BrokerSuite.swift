import Broker
import Foundation
import LocalStack

/// The driver of RabbitMQ beside the same library in a plain loop: one quorum queue, 600-byte persistent messages.
struct BrokerSuite {
  let bench: Bench

  private static let queue = "bench"
  private static let size = 600
  private static let window = 1_000

  func measure() async throws {
    let configuration = try BrokerConfiguration(url: bench.stack.rabbitmq.url)
    let admin = BrokerAdmin(configuration: configuration, logger: .bench)
    try await admin.declare(BrokerTopology(queues: [.quorum(Self.queue)]))
    let server = bench.stack.rabbitmq
    let count = bench.options.seconds * 8_000

    // Once unmeasured: the first messages meet a cold broker.
    _ = try await RabbitLoop.publish(
      to: Self.queue,
      server: server,
      count: 10_000,
      size: Self.size,
      window: Self.window
    )
    try await admin.purge(Self.queue)

    let publishLimit = try await RabbitLoop.publish(
      to: Self.queue,
      server: server,
      count: count,
      size: Self.size,
      window: Self.window
    )
    let consumeLimit = try await RabbitLoop.consume(from: Self.queue, server: server, count: count, window: Self.window)
    let published = try await publish(count, configuration)
    bench.add(
      Measurement(
        .broker,
        "confirmed publishes, \(Self.window) callers",
        published,
        "/s",
        limit: ("librabbitmq loop", publishLimit)
      )
    )
    let consumed = try await consume(count, configuration)
    bench.add(
      Measurement(
        .broker,
        "consumed, prefetch \(Self.window)",
        consumed,
        "/s",
        limit: ("librabbitmq loop", consumeLimit)
      )
    )
    try await admin.delete(Self.queue)
  }

  private func publish(_ count: Int, _ configuration: BrokerConfiguration) async throws -> Double {
    let publisher = BrokerPublisher(configuration: configuration, maximumUnconfirmed: Self.window, logger: .bench)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await publisher.run() }
      try await Patience.wait(for: "a connection", within: .seconds(5)) { publisher.state == .connected }
      let message = BrokerMessage(body: [UInt8](repeating: 120, count: Self.size))
      let started = WallTime.now
      try await withThrowingDiscardingTaskGroup { callers in
        for _ in 0..<Self.window {
          callers.addTask { @concurrent in
            for _ in 0..<count / Self.window {
              try await publisher.publish(message, exchange: "", routingKey: Self.queue)
            }
          }
        }
      }
      let rate = Double(count / Self.window * Self.window) / WallTime.seconds(from: started, to: WallTime.now)
      group.cancelAll()
      return rate
    }
  }

  private func consume(_ count: Int, _ configuration: BrokerConfiguration) async throws -> Double {
    let consumer = BrokerConsumer(
      configuration: configuration,
      queue: Self.queue,
      prefetch: Self.window,
      maximumBatch: Self.window / 4,
      logger: .bench
    )
    var started = WallTime.now
    var received = 0
    try await consumer.run { batches in
      started = WallTime.now
      for await batch in batches {
        consumer.acknowledge(batch)
        received += batch.count
        if received >= count { return }
      }
    }
    return Double(received) / WallTime.seconds(from: started, to: WallTime.now)
  }
}
