import Broker
import Foundation
public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
public import ServiceLifecycle
import ServiceRuntime

/// The router: decides who hears of what on which channels, and stores it.
public enum Router {
  /// Builds the router's services in order of dependency.
  public static func build(_ configuration: RouterConfiguration, logger: Logger) async throws -> [any Service] {
    let catalogue = try Catalogue(file: configuration.catalogueFile)
    var database = configuration.database
    database.applicationName = "belfry-router"
    var broker = configuration.broker.connection
    broker.connectionName = "belfry-router"
    let topology = Topology.durable(ladder: configuration.ladder)
    let client = PostgresClient(configuration: database, logger: logger)
    let publisher = BrokerPublisher(
      configuration: broker,
      topology: topology,
      maximumUnconfirmed: configuration.broker.maximumUnconfirmed,
      logger: logger
    )
    let consumer = BrokerConsumer(
      configuration: broker,
      topology: topology,
      queue: Topology.ingestQueue,
      // While one batch is worked on, the next one arrives.
      prefetch: 2 * configuration.maximumBatch,
      maximumBatch: configuration.maximumBatch,
      logger: logger
    )
    let outbox = Outbox(publisher: publisher)
    let groups = GroupStore(client: client)
    let worker = IngestWorker(
      consumer: consumer,
      decoder: IngestDecoder(catalogue: catalogue),
      router: BatchRouter(
        recipients: RecipientStore(client: client),
        viewers: Viewers(store: PresenceStore(client: client), logger: logger),
        notifications: NotificationStore(client: client),
        outbox: outbox
      ),
      events: EventRouter(groups: groups, chunkSize: configuration.chunkSize) { messages in
        try await outbox.send(push: [], email: [], realtime: messages)
      },
      groups: groups,
      idempotency: IdempotencyStore(client: client),
      outbox: outbox,
      maximumTransaction: configuration.maximumTransaction,
      chunkSize: configuration.chunkSize,
      logger: logger
    )
    let maintenance = MaintenanceWorker(
      store: MaintenanceStore(client: client),
      configuration: configuration.maintenance,
      logger: logger
    )
    var checks = HealthChecks()
    checks.add("database") { client.isReady }
    checks.add("publisher") { publisher.state == .connected }
    checks.add("consumer") { consumer.isReady }
    return [
      client, publisher, maintenance, worker,
      HealthServer(configuration: configuration.health, checks: checks, logger: logger),
    ]
  }
}
