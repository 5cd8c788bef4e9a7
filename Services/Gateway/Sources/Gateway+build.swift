import HummingbirdCore
import Authentication
import Broker
import Hummingbird
public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
public import ServiceLifecycle
import ServiceRuntime

/// The gateway: the REST API. It accepts, and reads; it decides nothing.
public enum Gateway {
  /// Builds the gateway's services in order of dependency.
  public static func build(_ configuration: GatewayConfiguration, logger: Logger) async throws -> [any Service] {
    let catalogue = try Catalogue(file: configuration.catalogueFile)
    var tokens = configuration.tokens
    tokens.reloadFailed = { logger.error("changed keys cannot be used", metadata: ["error": "\($0)"]) }
    let verifier = try await TokenVerifier(configuration: tokens)
    var database = configuration.database
    database.applicationName = "belfry-gateway"
    var broker = configuration.broker.connection
    broker.connectionName = "belfry-gateway"
    let client = PostgresClient(configuration: database, logger: logger)
    let publisher = BrokerPublisher(
      configuration: broker,
      topology: Topology.durable(ladder: configuration.ladder),
      maximumUnconfirmed: configuration.broker.maximumUnconfirmed,
      logger: logger
    )
    var checks = HealthChecks()
    checks.add("database") { client.isReady }
    checks.add("broker") { publisher.state == .connected }
    let router = router(
      catalogue: catalogue,
      client: client,
      publisher: publisher,
      checks: checks,
      authentication: AuthenticationMiddleware(
        verifier: verifier,
        limiter: configuration.userRate > 0 ? RateLimiter(rate: configuration.userRate) : nil
      ),
      logger: logger
    )
    let application = Application(
      router: router,
      configuration: .init(
        address: .hostname(configuration.host, port: configuration.port),
        serverName: "belfry",
        availableConnectionsDelegate: MaximumAvailableConnections(configuration.maximumConnections)
      ),
      logger: logger
    )
    return [client, publisher, application]
  }

  private static func router(
    catalogue: Catalogue,
    client: PostgresClient,
    publisher: BrokerPublisher,
    checks: HealthChecks,
    authentication: AuthenticationMiddleware,
    logger: Logger
  ) -> Hummingbird.Router<GatewayContext> {
    let router = Hummingbird.Router(context: GatewayContext.self)
    router.add(middleware: ProblemMiddleware())
    HealthServer.addRoutes(to: router, checks: checks)
    let ingest = IngestPublisher(publisher: publisher)
    let send = SendController(catalogue: catalogue, ingest: ingest, idempotency: IdempotencyStore(client: client))
    let events = EventController(catalogue: catalogue, ingest: ingest)
    let inbox = InboxController(
      inbox: InboxStore(client: client),
      catalogue: catalogue,
      realtime: RealtimePublisher(publisher: publisher, appID: "belfry-gateway", logger: logger)
    )
    let devices = DeviceController(devices: DeviceStore(client: client))
    let users = UserStore(client: client)
    let directory = DirectoryController(users: users, groups: GroupStore(client: client))
    let preferences = PreferencesController(users: users, catalogue: catalogue)
    let api = router.group("api/v1").add(middleware: authentication)
    api.post("notifications", use: send.send)
    api.get("notifications", use: inbox.list)
    api.get("notifications/unread-count", use: inbox.unreadCount)
    api.get("notifications/preferences", use: preferences.get)
    api.put("notifications/preferences", use: preferences.put)
    api.get("notifications/changes", use: inbox.changes)
    api.post("notifications/read", use: inbox.markManyRead)
    api.get("notifications/:id", use: inbox.get)
    api.patch("notifications/:id/read", use: inbox.markRead)
    api.post("events", use: events.report)
    api.post("devices", use: devices.register)
    api.get("devices", use: devices.list)
    api.put("users/:id", use: directory.putUser)
    api.put("groups/:id", use: directory.putGroup)
    return router
  }
}
