import Broker
import Foundation
import Hummingbird
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import ServiceRuntime
import WallClock

extension Gateway {
  /// Every path of the REST API.
  ///
  /// - Parameters:
  ///   - zone: Of users who have chosen none.
  ///   - clock: What time it is.
  static func router(
    catalogue: Catalogue,
    client: PostgresClient,
    publisher: any MessagePublisher,
    checks: HealthChecks,
    authentication: AuthenticationMiddleware,
    zone: Zone = .utc,
    clock: @escaping @Sendable () -> Date = { Date.now },
    logger: Logger
  ) -> Hummingbird.Router<GatewayContext> {
    let router = Hummingbird.Router(context: GatewayContext.self)
    if let telemetry = TelemetryMiddleware<GatewayContext>() { router.add(middleware: telemetry) }
    router.add(middleware: ProblemMiddleware())
    router.add(middleware: PathMiddleware())
    HealthServer.addRoutes(to: router, checks: checks)
    let ingest = IngestPublisher(publisher: publisher)
    let schedules = ScheduleStore(client: client)
    let idempotency = IdempotencyStore(client: client)
    let send = SendController(
      catalogue: catalogue,
      ingest: ingest,
      idempotency: idempotency,
      schedules: schedules,
      clock: clock
    )
    let requests = RequestController(schedules: schedules, requests: RequestStore(client: client), clock: clock)
    let plans = ScheduleController(schedules: schedules, catalogue: catalogue, home: zone, clock: clock)
    let events = EventController(catalogue: catalogue, ingest: ingest, idempotency: idempotency, clock: clock)
    let inbox = InboxController(
      inbox: InboxStore(client: client),
      catalogue: catalogue,
      realtime: RealtimePublisher(publisher: publisher, appID: "belfry-gateway", logger: logger),
      clock: clock
    )
    let devices = DeviceController(devices: DeviceStore(client: client))
    let users = UserStore(client: client)
    let directory = DirectoryController(users: users, groups: GroupStore(client: client), clock: clock)
    let settings = SettingsStore(client: client)
    let preferences = PreferencesController(settings: settings, catalogue: catalogue, zone: zone, clock: clock)
    let coarse = CoarseSettingsController(settings: settings, catalogue: catalogue, clock: clock)
    let mutes = MutesController(mutes: MuteStore(client: client), clock: clock)
    let open = CatalogueController(catalogue: catalogue)
    router.get("catalogue", use: open.types)
    router.get("catalogue/schema.json", use: open.schema)
    let explain = ExplainController(
      explainer: Explainer(
        catalogue: catalogue,
        recipients: RecipientStore(client: client, zone: zone),
        presence: PresenceStore(client: client),
        held: HeldStore(client: client),
        rules: RuleStore(client: client),
        zone: zone
      ),
      histories: HistoryStore(client: client),
      clock: clock
    )
    let api = router.group("api/v1").add(middleware: authentication)
    api.post("notifications", use: send.send)
    api.get("notifications", use: inbox.list)
    api.get("notifications/unread-count", use: inbox.unreadCount)
    api.get("notifications/preferences", use: preferences.get)
    api.put("notifications/preferences", use: preferences.put)
    api.put("notifications/preferences/quiet-hours", use: preferences.putQuietHours)
    api.get("notification-preferences", use: coarse.get)
    api.put("notification-preferences", use: coarse.put)
    api.get("notifications/muted", use: mutes.list)
    api.put("notifications/muted/:entityType/:entityId", use: mutes.put)
    api.delete("notifications/muted/:entityType/:entityId", use: mutes.delete)
    api.get("notifications/changes", use: inbox.changes)
    api.post("notifications/read", use: inbox.markManyRead)
    api.get("notifications/:id", use: inbox.get)
    api.patch("notifications/:id/read", use: inbox.markRead)
    api.post("events", use: events.report)
    api.get("requests/:id", use: requests.get)
    api.delete("requests/:id", use: requests.cancel)
    api.get("schedules", use: plans.list)
    api.get("schedules/:key", use: plans.get)
    api.put("schedules/:key", use: plans.put)
    api.delete("schedules/:key", use: plans.delete)
    api.post("devices", use: devices.register)
    api.get("devices", use: devices.list)
    api.put("users/:id", use: directory.putUser)
    api.put("groups/:id", use: directory.putGroup)
    api.post("admin/explain", use: explain.explain)
    api.get("admin/schedules", use: plans.listAll)
    api.get("admin/notifications", use: explain.latest)
    api.get("admin/notifications/:id", use: explain.history)
    return router
  }
}
