public import Broker

/// Names of exchanges and queues, and how they hang together (docs/schema.md). Declared by whoever starts first.
///
/// Durable queues are quorum queues. A message that comes back 100 times (its consumer died each time) is dead-lettered.
public enum Topology {
  public static let ingestExchange = "belfry.ingest"
  public static let dispatchExchange = "belfry.dispatch"
  public static let retryExchange = "belfry.retry"
  public static let realtimeExchange = "belfry.realtime"
  public static let deadExchange = "belfry.dead"

  /// Routing keys of send requests and of events, and queue of the router.
  public static let requestKey = "request"
  public static let eventKey = "event"
  public static let ingestQueue = "belfry.ingest"

  /// Where ingest messages wait that this moment's routers cannot serve: each as long as its own expiration says. They go
  /// back under the key that they came with, so the queue is bound to those.
  public static let ingestRetryQueue = "belfry.ingest.retry"

  /// The durable queues that services consume.
  public static let workQueues = [ingestQueue] + WorkQueue.allCases.map(\.name)

  /// The dead-letter queue of what `queue` could not process.
  public static func deadQueue(of queue: String) -> String { "\(queue).parked" }

  /// Where an earlier version dead-lettered: a queue without a delivery limit, from which RabbitMQ 4 drops what was looked at 20
  /// times. A queue's arguments cannot change, so the dead-letter queue has another name (docs/decisions/0022).
  public static func formerDeadQueue(of queue: String) -> String { deadKey(of: queue) }

  /// Routing key on `belfry.dead` of what `queue` could not process; part of the queue's arguments, so it stays as it is.
  public static func deadKey(of queue: String) -> String { "\(queue).dead" }

  /// Everything durable: exchanges, work queues, dead-letter queues and the delay ladder.
  ///
  /// - Parameter ladder: Its tiers become queues; the tier's delay is part of a queue's name, so a changed ladder declares
  ///   new queues beside the old ones.
  public static func durable(ladder: RetryLadder) -> BrokerTopology {
    var topology = BrokerTopology(
      exchanges: [ingestExchange, dispatchExchange, retryExchange, realtimeExchange, deadExchange].map {
        .init(name: $0, kind: .direct, durable: true)
      }
    )
    func work(_ name: String, exchange: String, key: String) {
      topology.queues.append(queue(name, deadLetterTo: deadExchange, key: deadKey(of: name), deliveryLimit: 100))
      topology.bindings.append(.init(queue: name, exchange: exchange, key: key))
      let deadLetters = deadLetters(of: name)
      topology.queues += deadLetters.queues
      topology.bindings += deadLetters.bindings
      topology.retiredBindings += deadLetters.retiredBindings
    }
    work(ingestQueue, exchange: ingestExchange, key: requestKey)
    topology.bindings.append(.init(queue: ingestQueue, exchange: ingestExchange, key: eventKey))
    // At most a minute, should a message have no expiration of its own.
    topology.queues.append(queue(ingestRetryQueue, deadLetterTo: ingestExchange, delay: .seconds(60)))
    for key in [requestKey, eventKey] {
      topology.bindings.append(.init(queue: ingestRetryQueue, exchange: retryExchange, key: key))
    }
    for channel in WorkQueue.allCases {
      work(channel.name, exchange: dispatchExchange, key: channel.name)
      for tier in ladder.tiers {
        let name = tier.queue(of: channel)
        topology.queues.append(queue(name, deadLetterTo: dispatchExchange, key: channel.name, delay: tier.delay))
        topology.bindings.append(.init(queue: name, exchange: retryExchange, key: name))
      }
    }
    return topology
  }

  /// The dead-letter queue of one work queue.
  ///
  /// To look at what is dead-lettered means to take it and give it back, which counts as a delivery: the limit is the largest there
  /// is, for RabbitMQ 3.10 takes -1 for less than nothing, and 4.x takes none for 20.
  public static func deadLetters(of name: String) -> BrokerTopology {
    BrokerTopology(
      exchanges: [.init(name: deadExchange, kind: .direct, durable: true)],
      queues: [queue(deadQueue(of: name), deliveryLimit: .max)],
      bindings: [.init(queue: deadQueue(of: name), exchange: deadExchange, key: deadKey(of: name))],
      retiredBindings: [.init(queue: formerDeadQueue(of: name), exchange: deadExchange, key: deadKey(of: name))]
    )
  }

  /// The queue of one in-app node: exclusive, gone with its connection, bound to the shards that the node serves.
  ///
  /// At most 100,000 messages wait; beyond that the oldest go, and clients find what they missed in the inbox.
  public static func realtime(queue name: String, shards: [Shard] = Shard.all) -> BrokerTopology {
    BrokerTopology(
      exchanges: [.init(name: realtimeExchange, kind: .direct, durable: true)],
      queues: [
        .init(
          name: name,
          durable: false,
          exclusive: true,
          autoDelete: true,
          arguments: ["x-max-length": .integer(100_000), "x-overflow": .string("drop-head")]
        )
      ],
      bindings: shards.map { .init(queue: name, exchange: realtimeExchange, key: $0.routingKey) }
    )
  }

  private static func queue(
    _ name: String,
    deadLetterTo exchange: String? = nil,
    key: String? = nil,
    deliveryLimit: Int64? = nil,
    delay: Duration? = nil
  ) -> BrokerTopology.Queue {
    var arguments: [String: BrokerValue] = ["x-queue-type": .string("quorum")]
    if let exchange {
      // Dead-lettering that survives a crash needs both settings (RabbitMQ documentation, "Quorum Queues").
      arguments["x-dead-letter-exchange"] = .string(exchange)
      // Without it, messages keep the key that they came with.
      if let key { arguments["x-dead-letter-routing-key"] = .string(key) }
      arguments["x-dead-letter-strategy"] = .string("at-least-once")
      arguments["x-overflow"] = .string("reject-publish")
    }
    if let deliveryLimit { arguments["x-delivery-limit"] = .integer(deliveryLimit) }
    if let delay { arguments["x-message-ttl"] = .integer(Int64(delay / .milliseconds(1))) }
    return .init(name: name, durable: true, exclusive: false, autoDelete: false, arguments: arguments)
  }
}
