public import Foundation
public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Obstacles
public import ServiceLifecycle
import ServiceRuntime
public import WallClock

/// The router: decides who hears of what on which channels, and stores it.
public enum Router {
  /// Builds the router's services in order of dependency.
  public static func build(_ configuration: RouterConfiguration, logger: Logger) async throws -> [any Service] {
    try await build(configuration, zone: .utc, clock: { Date.now }, logger: logger)
  }

  /// Builds them for people whose zone is known, at a time that can be set.
  ///
  /// - Parameters:
  ///   - zone: That of people who have none.
  ///   - clock: What time it is.
  public static func build(
    _ configuration: RouterConfiguration,
    zone: Zone,
    clock: @escaping @Sendable () -> Date,
    logger: Logger
  ) async throws -> [any Service] {
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
    let schedules = ScheduleStore(client: client)
    let residents = AudienceStore(client: client)
    let obstacles = ObstacleWatch(logger: logger)
    let metrics = RouterMetrics()
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
      groups: groups,
      keys: IdempotencyStore(client: client),
      waiting: schedules,
      residents: residents,
      outbox: outbox,
      chunkSize: configuration.chunkSize,
      retention: configuration.maintenance.retention,
      logger: logger,
      metrics: metrics,
      clock: clock
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
    let scheduler = ScheduleWorker(
      runner: ScheduleRunner(
        schedules: schedules,
        residents: residents,
        catalogue: catalogue,
        home: zone,
        publish: { try await outbox.publish($0) },
        clock: clock,
        logger: logger
      ),
      logger: logger
    )
    parts.checks.add { obstacles.problem }
    return parts.services(maintenance, worker, scheduler)
  }
}
