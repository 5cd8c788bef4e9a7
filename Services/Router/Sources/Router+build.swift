public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Obstacles
public import ServiceLifecycle
import ServiceRuntime
import WallClock

/// The router: decides who hears of what on which channels, and stores it.
public enum Router {
  /// Builds the router's services in order of dependency.
  public static func build(_ configuration: RouterConfiguration, logger: Logger) async throws -> [any Service] {
    let catalogue = try Catalogue(file: configuration.catalogueFile)
    var parts = ServiceParts(
      name: "belfry-router",
      configuration.parts,
      topology: Topology.durable(ladder: configuration.ladder),
      logger: logger
    )
    let client = parts.database
    let consumer = parts.consumer(
      of: Topology.ingestQueue,
      // While one batch is worked on, the next one arrives.
      prefetch: 2 * configuration.maximumBatch,
      maximumBatch: configuration.maximumBatch
    )
    let outbox = Outbox(publisher: parts.publisher)
    let groups = GroupStore(client: client)
    let obstacles = ObstacleWatch(logger: logger)
    let metrics = RouterMetrics()
    let rules = RuleStore(client: client)
    let notices = NoticePublisher(store: rules, outbox: outbox)
    let zone = Zone.utc
    let processor = IngestProcessor(
      consumer: consumer,
      decoder: IngestDecoder(catalogue: catalogue),
      router: BatchRouter(
        recipients: RecipientStore(client: client),
        viewers: Viewers(store: PresenceStore(client: client), logger: logger),
        notifications: NotificationStore(client: client),
        outbox: outbox,
        metrics: metrics
      ),
      events: EventRouter(groups: groups, chunkSize: configuration.chunkSize) { messages in
        try await outbox.send(realtime: messages)
      },
      judge: EventJudge(rules: catalogue.rules, store: rules, notices: notices, zone: zone),
      groups: groups,
      keys: IdempotencyStore(client: client),
      outbox: outbox,
      chunkSize: configuration.chunkSize,
      retention: configuration.maintenance.retention,
      logger: logger,
      metrics: metrics
    )
    let worker = IngestWorker(
      consumer: consumer,
      processor: processor,
      obstacles: obstacles,
      maximumTransaction: configuration.maximumTransaction,
      logger: logger,
      metrics: metrics
    )
    let maintenance = MaintenanceWorker(
      store: MaintenanceStore(client: client),
      configuration: configuration.maintenance,
      logger: logger
    )
    let timers = RuleTimerWorker(rules: catalogue.rules, store: rules, notices: notices, zone: zone, logger: logger)
    let absences = AbsenceWorker(
      catalogue: catalogue,
      store: rules,
      recipients: RecipientStore(client: client),
      notices: notices,
      zone: zone,
      logger: logger
    )
    parts.checks.add { obstacles.problem }
    return parts.services(maintenance, timers, absences, worker)
  }
}
