import Broker
import Logging
import NotificationQueue
import ServiceLifecycle
import Tracing

/// Takes realtime messages from this node's queue and hands them to the hub: while one batch is written, the next is taken.
///
/// The queue lives as long as the connection: what a node misses, its clients find in the inbox when they reconnect.
struct RealtimeConsumer: Service {
  private let consumer: BrokerConsumer
  private let server: HubServer
  private let logger: Logger

  init(consumer: BrokerConsumer, server: HubServer, logger: Logger) {
    self.consumer = consumer
    self.server = server
    self.logger = logger
  }

  /// The consumer of a node's own queue.
  ///
  /// - Parameters:
  ///   - node: Unique among the nodes that run; part of the queue's name.
  ///   - shards: Whose events the node receives.
  ///   - interrupted: The broker's consumer calls it when it has reconnected and made the queue anew: what was published in
  ///     between is lost.
  static func queue(
    of node: String,
    shards: Set<Int>,
    configuration: BrokerConfiguration,
    interrupted: @escaping @Sendable () -> Void,
    logger: Logger
  ) -> BrokerConsumer {
    let queue = "\(Topology.realtimeExchange).\(node)"
    return BrokerConsumer(
      configuration: configuration,
      topology: Topology.realtime(queue: queue, shards: Shard.all.filter { shards.contains($0.number) }),
      queue: queue,
      prefetch: 1_000,
      // The event loops read nothing while they write one.
      maximumBatch: 64,
      reconnected: interrupted,
      logger: logger
    )
  }

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await consumer.run { batches in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for await batch in batches {
            let (start, span) = (ContinuousClock.now, batch.startSpan())
            var inFlight: [HubServer.InFlightBatch] = []
            do {
              // Shards have no user in common, so their order does not matter: the event loops write one while the next
              // is prepared.
              for shard in Dictionary(grouping: batch, by: \.routingKey).values {
                let prepared = server.prepare(shard.compactMap { decode($0.message) })
                // Not before the last batch is written: an event loop that always finds something to write never comes
                // to read what clients send.
                if inFlight.isEmpty { try await group.next() }
                inFlight.append(server.begin(prepared))
              }
            } catch {
              // That of the last batch; this one is not begun.
              span?.end()
              throw error
            }
            let begun = inFlight
            // The one task at a time: it waits for the event loops while the next batch is taken.
            group.addTask {
              defer { span?.end() }
              do {
                try await server.finish(begun)
              } catch {
                span?.recordError(error)
                throw error
              }
              consumer.acknowledge(batch)
              server.telemetry.delivered(since: start)
            }
          }
          try await group.waitForAll()
        }
      }
    } onGracefulShutdown: {
      consumer.stop()
    }
  }

  /// A message that cannot be decoded is logged and dropped: the queue is transient, and the inbox has the truth.
  func decode(_ message: BrokerMessage) -> RealtimeMessage? {
    do {
      return try QueueCoder.decode(from: message)
    } catch {
      server.statistics.count(.undecodable)
      // Quoted: it may repeat what the message says, line breaks included.
      logger.warning("dropped a realtime message", metadata: ["reason": .string("\(error)".debugDescription)])
      return nil
    }
  }
}
