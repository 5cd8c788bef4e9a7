import Broker
import Dispatching
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceLifecycle
import TestSupport
import Testing

/// A dispatch queue with its ladder and its dead-letter queue, and outcomes, all in memory.
struct DispatchBench {
  let broker = InMemoryBroker()
  let outcomes = InMemoryOutcomes()
  let erasures = InMemoryErasures()
  let queue: String
  let deadQueue: String
  private let ladder = RetryLadder(delays: [.seconds(1), .seconds(10)])

  /// - Parameters:
  ///   - workQueue: Of the email channel.
  ///   - ladderLeadsBack: Whether what waits on the ladder comes back at once; else it stays in `ladder`.
  init(_ workQueue: WorkQueue = .email, ladderLeadsBack: Bool = true) {
    queue = workQueue.name
    deadQueue = Topology.deadQueue(of: queue)
    broker.bind(queue, to: Topology.dispatchExchange, key: queue)
    broker.bind(deadQueue, to: Topology.deadExchange, key: Topology.deadKey(of: queue))
    for tier in ladder.tiers {
      let name = tier.queue(of: workQueue)
      broker.bind(ladderLeadsBack ? queue : "ladder", to: Topology.retryExchange, key: name)
    }
  }

  /// A message for so many people, each with one mailbox named by their number.
  static func message(
    _ targets: [String],
    request: RequestID,
    recheck: Bool = false,
    attempt: Int = 0,
    lifetime: TimeInterval = 86_400
  ) throws -> DispatchMessage {
    let type = try #require(try Catalogue().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Hello", body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date.now,
      expiresAt: Date.now + lifetime
    )
    return DispatchMessage(
      attempt: attempt,
      recheck: recheck,
      contents: [content],
      deliveries: targets.map { target in
        let user = UserID(UUID())
        return DispatchMessage.Delivery(
          notificationId: NotificationID(request: request, recipient: user),
          userId: user,
          content: 0,
          badge: 1,
          targets: [.init(id: target, address: "\(target)@example.org")]
        )
      }
    )
  }

  static func message(
    _ targets: [String],
    recheck: Bool = false,
    attempt: Int = 0,
    lifetime: TimeInterval = 86_400
  ) throws -> DispatchMessage {
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    return try message(targets, request: request, recheck: recheck, attempt: attempt, lifetime: lifetime)
  }

  func send(_ message: DispatchMessage) async throws {
    try await broker.publish(
      BrokerMessage(body: QueueCoder.encode(message), type: queue),
      exchange: Topology.dispatchExchange,
      routingKey: queue
    )
  }

  func worker(
    _ channel: ScriptedChannel,
    life: Life = Life(),
    timing: DispatchTiming? = nil,
    waits: Bool = false,
    shared: SharedPermits.Member? = nil,
    answersUntil: Duration? = nil,
    logger: Logger = .quiet
  ) -> DispatchWorker {
    let broker = MortalBroker(consumer: broker.consumer(of: queue, waits: waits), publisher: broker, life: life)
    var standard = DispatchTiming()
    standard.recordingInterval = .milliseconds(1)
    return DispatchWorker(
      channel: channel,
      consumer: broker,
      publisher: broker,
      store: MortalOutcomes(outcomes: outcomes, life: life),
      // What a second look would find is asked for at each: no test waits until the last one is too old.
      erasures: ErasureWatch(source: erasures, lifetime: .zero, logger: .quiet),
      ladder: ladder,
      timing: timing ?? standard,
      shared: shared,
      answersUntil: answersUntil,
      logger: logger
    )
  }

  /// Works until nothing is left in the queue, not even what comes back from the ladder.
  func drain(_ channel: ScriptedChannel, timing: DispatchTiming? = nil) async throws {
    for _ in 0..<50 where !broker.messages(in: queue).isEmpty { try await worker(channel, timing: timing).run() }
    #expect(broker.messages(in: queue).isEmpty)
  }

  /// Puts back what is dead-lettered, as an operator does.
  func redrive() async throws {
    for delivery in broker.take(from: deadQueue) {
      let (message, exchange, routingKey) = DeadLetter.redriven(delivery.message, into: queue)
      try await broker.publish(message, exchange: exchange, routingKey: routingKey)
      broker.consumer(of: deadQueue).acknowledge([delivery])
    }
  }

  /// The message as it lies in a queue.
  func deadLettered() throws -> [DispatchMessage] {
    try broker.messages(in: deadQueue).map { try QueueCoder.decode(from: $0) }
  }
}
