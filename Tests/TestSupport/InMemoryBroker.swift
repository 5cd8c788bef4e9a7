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
    var consumers = 0
    /// Consumers, by their numbers.
    var stopped: Set<Int> = []
    var readers: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Those who wait for a message of the queue, or for its end: they are to look again.
    mutating func takeReaders(of queue: String) -> [CheckedContinuation<Void, Never>] {
      readers.removeValue(forKey: queue) ?? []
    }
  }

  private let state = Mutex(State())
  private let fault = Mutex<(@Sendable (BrokerMessage, String, String) -> BrokerError?)?>(nil)

  package init() {}

  /// Makes the topology's bindings.
  package func declare(_ topology: BrokerTopology) {
    for binding in topology.bindings { bind(binding.queue, to: binding.exchange, key: binding.key) }
  }

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

  /// Drops all that lies in queues or is handed out, and what was done: for tests that publish without end.
  package func forget() {
    state.withLock { state in
      state.queues = [:]
      state.held = [:]
      state.steps = []
    }
  }

  /// Puts all that is handed out back, as the broker does when a connection ends: its deliveries are not current any more.
  package func crash(_ queue: String) {
    let readers = state.withLock { state in
      state.generations[queue, default: 1] += 1
      let held = state.held[queue, default: [:]].sorted { $0.key < $1.key }.map(\.value)
      state.held[queue] = [:]
      state.queues[queue, default: []].insert(contentsOf: held, at: 0)
      return state.takeReaders(of: queue)
    }
    for reader in readers { reader.resume() }
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

  /// - Parameter waits: Whether an empty queue is waited on, until `stop`, as a broker's is; else it ends the sequence.
  package func consumer(of queue: String, maximumBatch: Int = 100, waits: Bool = false) -> Consumer {
    let number = state.withLock { state in
      state.consumers += 1
      return state.consumers
    }
    return Consumer(broker: self, queue: queue, maximumBatch: maximumBatch, waits: waits, number: number)
  }

  /// Returns when the queue has a message, the consumer is stopped, or the caller is cancelled.
  fileprivate func wait(for queue: String, consumer: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let isOver = state.withLock { state in
          let isOver = !state.queues[queue, default: []].isEmpty || state.stopped.contains(consumer) || Task.isCancelled
          if !isOver { state.readers[queue, default: []].append(reader) }
          return isOver
        }
        if isOver { reader.resume() }
      }
    } onCancel: {
      for reader in state.withLock({ $0.takeReaders(of: queue) }) { reader.resume() }
    }
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
    var readers: [CheckedContinuation<Void, Never>] = []
    let isRouted = state.withLock { state in
      let queues = state.bindings["\(exchange)\u{0}\(routingKey)", default: []]
      guard !queues.isEmpty || !mandatory else { return false }
      for queue in queues {
        state.queues[queue, default: []].append(
          Waiting(message: message, exchange: exchange, key: routingKey, handedOut: 0)
        )
        readers += state.takeReaders(of: queue)
      }
      state.steps.append(.published(exchange: exchange, key: routingKey))
      return true
    }
    for reader in readers { reader.resume() }
    if !isRouted { throw BrokerError(.unroutable, "no queue for \(exchange) \(routingKey)") }
  }
}

extension InMemoryBroker {
  /// Consumes one queue until it is stopped or, if it is not to wait, empty. Others may consume it too, but where one has ended
  /// all that is handed out of the queue is put back, also what another has, as where the connection of all ends.
  package struct Consumer: MessageConsumer {
    let broker: InMemoryBroker
    let queue: String
    let maximumBatch: Int
    let waits: Bool
    fileprivate let number: Int

    package func run(_ body: (BrokerBatches) async throws -> Void) async throws {
      defer { broker.crash(queue) }
      try await body(
        BrokerBatches { [self] in
          while !Task.isCancelled, !broker.state.withLock({ $0.stopped.contains(number) }) {
            let batch = broker.take(maximumBatch, from: queue)
            if !batch.isEmpty { return batch }
            guard waits else { return nil }
            await broker.wait(for: queue, consumer: number)
          }
          return nil
        }
      )
    }

    package func stop() {
      let readers = broker.state.withLock { state in
        state.stopped.insert(number)
        return state.takeReaders(of: queue)
      }
      for reader in readers { reader.resume() }
    }

    package func acknowledge(_ deliveries: [BrokerDelivery]) {
      broker.state.withLock { state in
        for delivery in deliveries where state.held[queue, default: [:]].removeValue(forKey: delivery.tag) != nil {
          state.steps.append(.acknowledged(1))
        }
      }
    }

    package func reject(_ delivery: BrokerDelivery, requeue: Bool) {
      let readers = broker.state.withLock { state in
        guard let waiting = state.held[queue, default: [:]].removeValue(forKey: delivery.tag) else {
          return [CheckedContinuation<Void, Never>]()
        }
        if requeue { state.queues[queue, default: []].append(waiting) }
        state.steps.append(.rejected(requeue: requeue))
        return state.takeReaders(of: queue)
      }
      for reader in readers { reader.resume() }
    }

    package func isCurrent(_ delivery: BrokerDelivery) -> Bool {
      broker.state.withLock { delivery.generation == $0.generations[queue, default: 1] }
    }
  }
}
