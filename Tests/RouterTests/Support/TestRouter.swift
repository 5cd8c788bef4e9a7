import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceFaults
import ServiceRuntime
import TestSupport
import WallClock

@testable import Broker
@testable import Router

/// Routers on an in-memory broker and stores: each ``run(until:)`` is a new process that works until the queue is empty.
struct TestRouter: Sendable {
  let broker = InMemoryBroker()
  let stores = InMemoryStores()
  let log = LogRecorder()
  let faults: ServiceFaultWatch
  var chunkSize = 10
  var maximumBatch = 100
  var maximumTransaction = 1_000
  var metrics: RouterMetrics?
  /// What time it is for the router.
  var clock: @Sendable () -> Date = { Date.now }
  /// What its work goes by instead; nil takes that time unchecked.
  var watch: ClockWatch?
  /// What stands between the router and the broker.
  var wrapPublisher: @Sendable (any MessagePublisher) -> any MessagePublisher = { $0 }

  /// What the router knows.
  var catalogue = Self.catalogue
  /// What it follows instead; nil is the catalogue that stays.
  var versions: CatalogueInForce?
  var versionSkewRetry = VersionSkewRetry()
  /// As the deployment has them.
  var channels = Channel.routing
  var home = Zone.utc

  static let catalogue = Result { try Catalogue() }

  init() {
    faults = ServiceFaultWatch(logger: log.logger)
    broker.declare(Topology.durable(ladder: RetryLadder(delays: [.seconds(1)])))
    broker.declare(Topology.realtime(queue: Self.node))
  }

  /// Runs a router until nothing is left to do, or it dies; what it held then goes back to the queue.
  @discardableResult
  func run(until death: Lifetime.Death? = nil) async throws -> Lifetime {
    let life = Lifetime(until: death)
    try await ingestWorker(living: life).run()
    broker.crash(Topology.ingestQueue)
    return life
  }

  func ingestWorker(living life: Lifetime) throws -> IngestWorker {
    let connection = InMemoryStores.Connection(stores: stores, life: life)
    return try worker(
      living: life,
      router: { publisher in
        BatchRouter(
          recipients: connection,
          viewers: Viewers(store: connection, logger: .quiet),
          waiting: connection,
          notifications: connection,
          outcomes: connection,
          publisher: publisher,
          channels: channels,
          metrics: metrics
        )
      },
      topics: connection,
      groups: connection,
      identifiers: connection,
      keys: connection,
      sends: connection,
      requests: connection,
      residents: connection,
      rules: connection
    )
  }

  /// Runs a router that takes what is due until nothing is left, or it dies.
  @discardableResult
  func runHeld(until death: Lifetime.Death? = nil) async throws -> Lifetime {
    let life = Lifetime(until: death)
    let worker = try heldWorker(living: life)
    do {
      while try await worker.takeBatch() {}
    } catch  where !life.isAlive {
      // That is what it is about.
    }
    return life
  }

  private func catalogues() throws -> CatalogueInForce { try versions ?? CatalogueInForce(catalogue.get()) }

  private var workClock: any WorkClock { watch ?? UncheckedClock(clock) as any WorkClock }

  func heldWorker(living life: Lifetime) throws -> HeldWorker {
    let connection = InMemoryStores.Connection(stores: stores, life: life)
    let types = HeldTypes(try catalogues())
    return HeldWorker(
      store: connection,
      processor: HeldProcessor(
        store: connection,
        recipients: connection,
        viewers: Viewers(store: connection, logger: .quiet),
        withdrawals: connection,
        outcomes: connection,
        publisher: RouterPublisher(publisher: wrapPublisher(broker.publisher(living: life)), clock: clock),
        types: types,
        channels: channels,
        metrics: metrics,
        clock: clock
      ),
      types: types,
      logger: log.logger,
      metrics: metrics,
      clock: workClock
    )
  }

  func worker(
    living life: Lifetime,
    router: (RouterPublisher) -> BatchRouter,
    topics: any TopicStoring,
    groups: any GroupStoring,
    identifiers: any IdentifierStoring,
    keys: any KeyStoring,
    sends: any SendStoring,
    requests: any RequestStoring,
    residents: any ResidentStoring,
    rules: any RuleStoring
  ) throws -> IngestWorker {
    let consumer = broker.consumer(of: Topology.ingestQueue, maximumBatch: maximumBatch, living: life)
    let publisher = RouterPublisher(publisher: wrapPublisher(broker.publisher(living: life)), clock: clock)
    let catalogues = try catalogues()
    let catalogue = catalogues.current.catalogue
    let processor = IngestProcessor(
      consumer: consumer,
      catalogues: catalogues,
      router: router(publisher),
      topics: TopicRouter(
        topics: topics,
        outcomes: router(publisher).outcomes,
        publisher: publisher,
        home: home
      ),
      events: EventRelay(groups: groups, chunkSize: chunkSize) { try await publisher.send(realtime: $0) },
      evaluator: EventEvaluator(
        rules: catalogue.rules,
        settings: catalogue.settings,
        store: rules,
        notices: NoticePublisher(store: rules, publisher: publisher),
        zone: .utc,
        metrics: metrics
      ),
      expansion: AudienceExpansion(groups: groups, residents: residents, chunkSize: chunkSize),
      identifiers: identifiers,
      keys: keys,
      sends: sends,
      requests: requests,
      publisher: publisher,
      retention: .seconds(30 * 86_400),
      logger: log.logger,
      metrics: metrics,
      versionSkewRetry: versionSkewRetry,
      clock: workClock
    )
    return IngestWorker(
      consumer: consumer,
      processor: processor,
      faults: faults,
      maximumTransaction: maximumTransaction,
      logger: log.logger,
      metrics: metrics
    )
  }

  // MARK: Messages

  /// Puts a message on the ingest queue.
  func publish(
    _ body: String,
    id: String? = nil,
    type: String? = nil,
    key: String = Topology.requestKey,
    timestamp: Date? = nil,
    headers: [String: BrokerValue] = [:]
  ) async throws {
    try await broker.publish(
      BrokerMessage(
        body: Array(body.utf8),
        messageID: id,
        type: type,
        appID: type?.hasPrefix("belfry.") == true ? "belfry-gateway" : "tests",
        timestamp: timestamp,
        headers: headers
      ),
      exchange: Topology.ingestExchange,
      routingKey: key
    )
  }

  /// A request as the gateway publishes it.
  @discardableResult
  func send(to users: [UserID], type: Int = 12, expiresAt: Date? = nil) async throws -> RequestID {
    let id = RequestID(now: .now)
    let body = Self.body(users, type: type, expiresAt: expiresAt)
    try await publish(body, id: id.description, type: IngestKind.request.messageType)
    return id
  }

  static func body(_ users: [UserID], type: Int = 12, expiresAt: Date? = nil) -> String {
    let list = users.map { "\"\($0)\"" }.joined(separator: ",")
    let expiry = expiresAt.map { #","expiresAt":"\#($0.rfc3339)""# } ?? ""
    return #"{"to":{"users":[\#(list)]},"type":\#(type)\#(expiry)}"#
  }

  // MARK: What came of it

  /// The dispatch messages of a queue, oldest first.
  func dispatches(_ queue: WorkQueue) throws -> [DispatchMessage] {
    try broker.messages(in: queue.name).map { try QueueCoder.decode(from: $0) }
  }

  private static let node = "node-1"

  /// What an in-app node was sent.
  func realtime() throws -> [RealtimeMessage] {
    try broker.messages(in: Self.node).map { try QueueCoder.decode(from: $0) }
  }

  /// What waits for another catalogue.
  var postponed: [BrokerMessage] { broker.messages(in: Topology.ingestRetryQueue) }

  /// Puts what waits back on the ingest queue, as the broker does after the pause.
  func endPause() async throws {
    for delivery in broker.take(from: Topology.ingestRetryQueue) {
      var message = delivery.message
      message.expiration = nil
      try await broker.publish(message, exchange: Topology.ingestExchange, routingKey: delivery.routingKey)
      broker.consumer(of: Topology.ingestRetryQueue).acknowledge([delivery])
    }
  }

  /// Why messages were dead-lettered.
  var deadLettered: [String] {
    broker.messages(in: Topology.deadQueue(of: Topology.ingestQueue)).map {
      $0.headers[DeadLetter.reasonHeader]?.stringValue ?? ""
    }
  }

  /// Whether the ingest queue has nothing left, in it or in flight.
  var isDone: Bool {
    broker.messages(in: Topology.ingestQueue).isEmpty && broker.heldCount(of: Topology.ingestQueue) == 0
  }
}
