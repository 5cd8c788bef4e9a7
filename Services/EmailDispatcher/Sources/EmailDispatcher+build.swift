import Broker
import Dispatching
public import Logging
import NotificationQueue
import NotificationStore
import Postgres
public import ServiceLifecycle
import ServiceRuntime
import Transport

/// The email dispatcher: hands notifications to a mail server and records what became of them.
public enum EmailDispatcher {
  /// Builds the dispatcher's services in order of dependency.
  public static func build(_ configuration: EmailConfiguration, logger: Logger) async throws -> [any Service] {
    var database = configuration.database
    database.applicationName = "belfry-email"
    var broker = configuration.broker.connection
    broker.connectionName = "belfry-email"
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
      queue: WorkQueue.email.name,
      prefetch: configuration.prefetch,
      maximumBatch: configuration.prefetch,
      logger: logger
    )
    let channel = EmailChannel(
      maximumAttempts: configuration.maximumAttempts,
      concurrency: configuration.smtp.maximumConnections,
      longestDelivery: configuration.smtp.timeout,
      composer: EmailComposer(sender: configuration.sender, domain: configuration.messageIDDomain),
      client: SMTPClient(configuration: configuration.smtp, logger: logger),
      users: UserStore(client: client),
      logger: logger
    )
    let worker = DispatchWorker(
      channel: channel,
      consumer: consumer,
      publisher: publisher,
      store: DeliveryStore(client: client),
      ladder: configuration.ladder,
      timing: DispatchTiming(heartbeat: broker.heartbeat),
      logger: logger
    )
    var checks = HealthChecks()
    checks.add("database") { client.isReady }
    checks.add("publisher") { publisher.state == .connected }
    checks.add("consumer") { consumer.isReady }
    return [
      client, publisher, worker, HealthServer(configuration: configuration.health, checks: checks, logger: logger),
    ]
  }
}
