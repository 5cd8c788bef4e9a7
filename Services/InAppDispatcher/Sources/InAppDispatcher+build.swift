import Authentication
import Broker
public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
public import ServiceLifecycle
import ServiceRuntime
import Synchronization

/// Builds the in-app dispatcher: the consumer of realtime messages, the hub, and what its methods need.
///
/// The hub comes last and so stops first: clients still receive events while they are sent elsewhere.
public func buildInAppDispatcher(_ configuration: InAppConfiguration, _ logger: Logger) async throws -> [any Service] {
  var tokens = configuration.tokens
  tokens.reloadFailed = { error in
    logger.error("the changed keys are not used", metadata: ["reason": "\(error)"])
  }
  let verifier = try await TokenVerifier(configuration: tokens)
  let catalogue = try Catalogue(file: configuration.catalogueFile)
  let broker = configuration.broker.connection
  let client = PostgresClient(configuration: configuration.database, logger: logger)
  let publisher = BrokerPublisher(
    configuration: broker,
    maximumUnconfirmed: configuration.broker.maximumUnconfirmed,
    logger: logger
  )
  let presence = PresenceKeeper(store: PresenceStore(client: client), node: configuration.node, logger: logger)
  let methods = HubMethods(
    inbox: InboxStore(client: client),
    realtime: RealtimePublisher(publisher: publisher, appID: "belfry-inapp", logger: logger),
    catalogue: catalogue,
    presence: presence,
    logger: logger
  )
  let interruption = Interruption()
  let consumer = RealtimeConsumer.queue(
    of: configuration.node,
    shards: configuration.server.placement.shards,
    configuration: broker,
    interrupted: { interruption.happened() },
    logger: logger
  )
  var checks = HealthChecks()
  // Without the database or the publisher, clients still receive; only what they call fails.
  checks.add("broker is connected") { consumer.isReady }
  let server = HubServer(
    configuration: configuration.server,
    verifier: verifier,
    methods: methods,
    checks: checks,
    logger: logger
  )
  interruption.handle {
    logger.notice("events were missed while the broker was away: clients are asked to reconnect")
    server.sendEverybodyAway()
  }
  return [
    client, publisher, presence,
    HealthServer(
      configuration: configuration.health,
      checks: checks,
      metrics: { HubMetrics.text(server.statistics, connections: server.connectionCount) },
      logger: logger
    ),
    RealtimeConsumer(consumer: consumer, server: server, logger: logger), server,
  ]
}

/// Ties the consumer, which is made first, to the hub.
private final class Interruption: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  func handle(_ handler: @escaping @Sendable () -> Void) { self.handler.withLock { $0 = handler } }

  func happened() { handler.withLock(\.self)?() }
}
