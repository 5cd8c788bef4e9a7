package import Broker
import Synchronization

/// Direct exchanges and queues in memory, for tests of a worker's own logic: each publish can be made to fail, and what a
/// worker held when it "crashed" comes again, flagged as redelivered. Real brokers stay the promise; see BrokerTests.
package final class InMemoryBroker: Sendable {
  /// One thing that a worker did, in order.
  package enum Step: Sendable, Equatable {
    case published(exchange: String, key: String)
    case acknowledged(Int)
    case rejected(requeue: Bool)
  }

  private struct Waiting {
    var message: BrokerMessage
    var exchange: String
    var key: String
    var handedOut: Int
  }

  private struct State {
    var bindings: [String: [String]] = [:]
    var queues: [String: [Waiting]] = [:]
    var held: [String: [UInt64: Waiting]] = [:]
    var generations: [String: UInt64] = [:]
    var tag: UInt64 = 0
    var steps: [Step] = []
  }

  private let state = Mutex(State())
  private let fault = Mutex<(@Sendable (BrokerMessage, String, String) -> BrokerError?)?>(nil)

  package init() {}

  /// Messages to `exchange` with `key` go to `queue` as well.
  package func bind(_ queue: String, to exchange: String, key: String) {
    state.withLock { $0.bindings["\(exchange)\u{0}\(key)", default: []].append(queue) }
  }

  /// Asked at each publish for its error; nil lets all succeed.
  package func failPublishes(_ fault: (@Sendable (BrokerMessage, String, String) -> BrokerError?)?) {
    self.fault.withLock { $0 = fault }
  }

  /// What lies in a queue, oldest first.
  package func messages(in queue: String) -> [BrokerMessage] {
    state.withLock { $0.queues[queue, default: []].map(\.message) }
  }

  /// How many messages of a queue are handed out and not yet settled.
  package func heldCount(of queue: String) -> Int { state.withLock { $0.held[queue, default: [:]].count } }

  package var steps: [Step] { state.withLock(\.steps) }

  /// Puts all that is handed out back, as the broker does when a connection ends: its deliveries are not current any more.
  package func crash(_ queue: String) {
    state.withLock { state in
      state.generations[queue, default: 1] += 1
      let held = state.held[queue, default: [:]].sorted { $0.key < $1.key }.map(\.value)
      state.held[queue] = [:]
      state.queues[queue, default: []].insert(contentsOf: held, at: 0)
    }
  }

  /// Hands out up to `count` waiting messages.
  package func take(_ count: Int = .max, from queue: String) -> [BrokerDelivery] {
    state.withLock { state in
      var taken: [BrokerDelivery] = []
      while taken.count < count, var next = state.queues[queue, default: []].first {
        state.queues[queue]?.removeFirst()
        state.tag += 1
        taken.append(
          BrokerDelivery(
            message: next.message,
            exchange: next.exchange,
            routingKey: next.key,
            redelivered: next.handedOut > 0,
            deliveryCount: next.handedOut,
            tag: state.tag,
            generation: state.generations[queue, default: 1]
          )
        )
        next.handedOut += 1
        state.held[queue, default: [:]][state.tag] = next
      }
      return taken
    }
  }

  package func consumer(of queue: String, maximumBatch: Int = 100) -> Consumer {
    Consumer(broker: self, queue: queue, maximumBatch: maximumBatch)
  }
}

extension InMemoryBroker: MessagePublisher {
  package func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool
  ) async throws(BrokerError) {
    if let error = fault.withLock(\.self)?(message, exchange, routingKey) { throw error }
    let isRouted = state.withLock { state in
      let queues = state.bindings["\(exchange)\u{0}\(routingKey)", default: []]
      guard !queues.isEmpty || !mandatory else { return false }
      for queue in queues {
        state.queues[queue, default: []].append(
          Waiting(message: message, exchange: exchange, key: routingKey, handedOut: 0)
        )
      }
      state.steps.append(.published(exchange: exchange, key: routingKey))
      return true
    }
    if !isRouted { throw BrokerError(.unroutable, "no queue for \(exchange) \(routingKey)") }
  }
}

extension InMemoryBroker {
  /// Consumes one queue until it is empty or stopped, then ends.
  package struct Consumer: MessageConsumer {
    let broker: InMemoryBroker
    let queue: String
    let maximumBatch: Int

    package func run(_ body: (BrokerBatches) async throws -> Void) async throws {
      try await body(
        BrokerBatches { [self] in
          let batch = broker.take(maximumBatch, from: queue)
          return batch.isEmpty ? nil : batch
        }
      )
    }

    package func stop() {
      broker.crash(queue)
    }

    package func acknowledge(_ deliveries: [BrokerDelivery]) {
      broker.state.withLock { state in
        for delivery in deliveries where state.held[queue, default: [:]].removeValue(forKey: delivery.tag) != nil {
          state.steps.append(.acknowledged(1))
        }
      }
    }

    package func reject(_ delivery: BrokerDelivery, requeue: Bool) {
      broker.state.withLock { state in
        guard let waiting = state.held[queue, default: [:]].removeValue(forKey: delivery.tag) else { return }
        if requeue { state.queues[queue, default: []].append(waiting) }
        state.steps.append(.rejected(requeue: requeue))
      }
    }

    package func isCurrent(_ delivery: BrokerDelivery) -> Bool {
      broker.state.withLock { delivery.generation == $0.generations[queue, default: 1] }
    }
  }
}
