import Broker
import Dispatching
public import Logging
import NotificationQueue
import NotificationStore
import Postgres
public import ServiceLifecycle
import ServiceRuntime
import Transport

/// The push dispatcher: hands notifications to FCM and records what became of them.
public enum PushDispatcher {
  /// Builds the dispatcher's services in order of dependency.
  public static func build(_ configuration: PushConfiguration, logger: Logger) async throws -> [any Service] {
    let account = try ServiceAccount(file: configuration.serviceAccountFile)
    var database = configuration.database
    database.applicationName = "belfry-push"
    var broker = configuration.broker.connection
    broker.connectionName = "belfry-push"
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
      queue: WorkQueue.push.name,
      prefetch: configuration.prefetch,
      maximumBatch: configuration.prefetch,
      logger: logger
    )
    var transport = HTTPClientConfiguration()
    transport.maximumConnectionsPerHost = configuration.connections
    transport.timeout = configuration.requestTimeout
    transport.caFile = configuration.caFile.isEmpty ? nil : configuration.caFile
    let channel = PushChannel(
      maximumAttempts: configuration.maximumAttempts,
      concurrency: transport.maximumConnectionsPerHost * transport.maximumStreamsPerConnection,
      // Token and push, and both again if the token is refused.
      longestDelivery: configuration.requestTimeout * 4,
      url: "\(configuration.endpoint)/v1/projects/\(account.projectID)/messages:send",
      web: FCMMessage.Web(
        link: configuration.webLink.isEmpty ? nil : configuration.webLink,
        icon: configuration.webIcon.isEmpty ? nil : configuration.webIcon
      ),
      client: try HTTP2Client(origin: configuration.endpoint, configuration: transport, logger: logger),
      tokens: try await AccessTokens(
        account: account,
        client: HTTPClient(configuration: transport, logger: logger),
        logger: logger
      ),
      devices: DeviceStore(client: client),
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
