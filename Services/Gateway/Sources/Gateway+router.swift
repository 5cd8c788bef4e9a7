import Broker
import Hummingbird
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import ServiceRuntime

extension Gateway {
  /// Every path of the REST API.
  static func router(
    catalogue: Catalogue,
    client: PostgresClient,
    publisher: any MessagePublisher,
    checks: HealthChecks,
    authentication: AuthenticationMiddleware,
    logger: Logger
  ) -> Hummingbird.Router<GatewayContext> {
    let router = Hummingbird.Router(context: GatewayContext.self)
    if let telemetry = TelemetryMiddleware<GatewayContext>() { router.add(middleware: telemetry) }
    router.add(middleware: ProblemMiddleware())
    router.add(middleware: PathMiddleware())
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
    let open = CatalogueController(catalogue: catalogue)
    router.get("catalogue", use: open.types)
    router.get("catalogue/schema.json", use: open.schema)
    let explain = ExplainController(
      explainer: Explainer(
        catalogue: catalogue,
        recipients: RecipientStore(client: client),
        users: users,
        presence: PresenceStore(client: client),
        states: NoRuleStates()
      ),
      histories: HistoryStore(client: client)
    )
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
    api.post("admin/explain", use: explain.explain)
    api.get("admin/notifications", use: explain.latest)
    api.get("admin/notifications/:id", use: explain.history)
    return router
  }
}
