public import Logging
import Synchronization

/// Consumes one queue over a connection of its own.
///
/// Each delivery is to be acknowledged or rejected; what is neither goes back to the queue when the connection ends.
public final class BrokerConsumer: Sendable {
  private let core: ConsumerCore
  private let keeper: ConnectionKeeper

  /// - Parameters:
  ///   - topology: Declared at every connect; should include the queue.
  ///   - prefetch: Deliveries not yet acknowledged, 1 to 65535, those handed out and those waiting. RabbitMQ advises
  ///     100 or more on quorum queues.
  ///   - maximumBatch: Deliveries in a batch.
  ///   - reconnected: Called when it consumes again after a lost connection: an exclusive queue was another one before, and
  ///     what was published in between is lost.
  public init(
    configuration: BrokerConfiguration,
    topology: BrokerTopology = .none,
    queue: String,
    prefetch: Int,
    maximumBatch: Int,
    reconnected: (@Sendable () -> Void)? = nil,
    logger: Logger
  ) {
    var logger = logger
    logger[metadataKey: "queue"] = "\(queue)"
    core = ConsumerCore(
      maximumBatch: maximumBatch,
      reconnected: reconnected,
      telemetry: ConsumerTelemetry(queue: topology.lastingName(of: queue)),
      logger: logger
    )
    keeper = ConnectionKeeper(
      dialer: Dialer(
        configuration: configuration,
        topology: topology,
        purpose: .consume(queue: queue, prefetch: prefetch)
      ),
      role: "consumer",
      logger: logger
    )
  }

  /// Connects, consumes and reconnects by itself while `body` runs. When it returns, acknowledgements are flushed and
  /// the connection is closed; what isn't acknowledged goes back to the queue. To be called once.
  public func run(_ body: (BrokerBatches) async throws -> Void) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { await self.keeper.keep(self.core) }
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(BrokerBatches(core: core)))
      } catch {
        result = .failure(error)
      }
      await core.close()
      group.cancelAll()
      try result.get()
    }
  }

  /// Asks the broker for nothing more and ends the sequence; callable from anywhere, even before `run`.
  ///
  /// What was handed out may still be acknowledged until the body of `run` returns. What was received but not handed
  /// out goes back to the queue then.
  public func stop() {
    core.enqueue { $0.stop() }
  }

  /// Tells the broker that these are done. Returns at once; the deliveries of one call share an acknowledgement where
  /// possible. Deliveries of an earlier connection are ignored, because the broker hands them out again anyway.
  public func acknowledge(_ deliveries: [BrokerDelivery]) {
    guard let generation = deliveries.lazy.map(\.generation).max() else { return }
    let tags = deliveries.lazy.filter { $0.generation == generation }.map(\.tag)
    let copy = Array(tags)
    core.enqueue { $0.acknowledge(copy, generation: generation) }
  }

  /// Gives one back to the queue, or without `requeue` to the queue's dead-letter exchange, if it has one, else away.
  public func reject(_ delivery: BrokerDelivery, requeue: Bool) {
    core.enqueue { $0.reject(delivery.tag, generation: delivery.generation, requeue: requeue) }
  }

  /// Whether the delivery's connection is still up. If it isn't, the broker hands the message out again, perhaps to another
  /// consumer, so what has not been begun should not be.
  public func isCurrent(_ delivery: BrokerDelivery) -> Bool {
    core.generation.withLock { $0 == delivery.generation }
  }

  /// Connected and consuming.
  public var isReady: Bool { core.isReady.withLock(\.self) }
}

extension BrokerTopology {
  /// The queue's name; for a queue of a connection's own the exchange that it is bound to.
  fileprivate func lastingName(of queue: String) -> String {
    let isExclusive = queues.contains { $0.name == queue && $0.exclusive }
    return isExclusive ? bindings.first { $0.queue == queue }?.exchange ?? "exclusive" : queue
  }
}
