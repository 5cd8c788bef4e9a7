public import Foundation
public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceFaults
public import ServiceLifecycle
import ServiceRuntime

/// The router: decides who hears of what on which channels, and stores it.
public enum Router {
  /// Builds the router's services in order of dependency.
  ///
  /// - Parameter clock: This machine's.
  public static func build(
    _ configuration: RouterConfiguration,
    clock: @escaping @Sendable () -> Date = { Date.now },
    logger: Logger
  ) async throws -> [any Service] {
    let zone = configuration.timezone
    let channels = Channel.routing(pushingBy: configuration.providers)
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
    let obstacles = ServiceFaultWatch(logger: logger)
    let metrics = RouterMetrics()
    let held = HeldStore(client: client)
    let recipients = RecipientStore(client: client, zone: zone)
    let viewers = Viewers(store: PresenceStore(client: client), logger: logger)
    let databaseClock = DatabaseClock(client: client)
    let clocks = ClockWatch(
      clock: clock,
      consequence: "work waits until the clocks agree; nothing is lost",
      logger: logger
    ) { try await databaseClock.now() }
    // Whatever this machine's clock shows, all routers and gateways date by the same one.
    let time: @Sendable () -> Date = { clocks.now }
    let spread = DueSpread(seconds: Int(configuration.held.spread / .seconds(1)))
    let outcomes = DeliveryStore(client: client)
    let rules = RuleStore(client: client)
    let notices = NoticePublisher(store: rules, outbox: outbox)
    let processor = IngestProcessor(
      consumer: consumer,
      decoder: IngestDecoder(catalogue: catalogue),
      router: BatchRouter(
        recipients: recipients,
        viewers: viewers,
        waiting: held,
        notifications: NotificationStore(client: client),
        outcomes: outcomes,
        outbox: outbox,
        channels: channels,
        spread: spread,
        metrics: metrics
      ),
      events: EventRouter(groups: groups, chunkSize: configuration.chunkSize) { messages in
        try await outbox.send(realtime: messages)
      },
      evaluator: EventEvaluator(rules: catalogue.rules, store: rules, notices: notices, zone: zone, metrics: metrics),
      expansion: AudienceExpansion(groups: groups, residents: residents, chunkSize: configuration.chunkSize),
      keys: IdempotencyStore(client: client),
      waiting: schedules,
      withdrawals: schedules,
      requests: RequestStore(client: client),
      outbox: outbox,
      retention: configuration.maintenance.retention,
      logger: logger,
      metrics: metrics,
      versionSkewRetry: VersionSkewRetry(limit: configuration.patience),
      clocks: clocks,
      clock: time
    )
    let worker = IngestWorker(
      consumer: consumer,
      processor: processor,
      obstacles: obstacles,
      maximumTransaction: configuration.maximumTransaction,
      logger: logger,
      metrics: metrics
    )
    let heldWorker = HeldWorker(
      store: held,
      processor: HeldProcessor(
        store: held,
        recipients: recipients,
        viewers: viewers,
        withdrawals: schedules,
        outcomes: outcomes,
        outbox: outbox,
        catalogue: catalogue,
        channels: channels,
        composeAbove: configuration.held.composeAbove,
        spread: spread,
        metrics: metrics,
        clock: time
      ),
      types: catalogue.types.map(\.code),
      logger: logger,
      metrics: metrics,
      clocks: clocks,
      clock: time
    )
    let maintenance = MaintenanceWorker(
      store: MaintenanceStore(client: client),
      configuration: configuration.maintenance,
      logger: logger
    )
    let runner = ScheduleRunner(
      schedules: schedules,
      residents: residents,
      catalogue: catalogue,
      home: zone,
      publish: { try await outbox.publish($0) },
      clocks: clocks,
      clock: time,
      logger: logger
    )
    let sender = ScheduleWorker(runner: runner, work: .sends, logger: logger)
    let scheduler = ScheduleWorker(runner: runner, work: .schedules, logger: logger)
    let timers = RuleTimerWorker(
      rules: catalogue.rules,
      store: rules,
      notices: notices,
      zone: zone,
      logger: logger,
      metrics: metrics,
      clocks: clocks,
      clock: time
    )
    let absences = AbsenceWorker(
      catalogue: catalogue,
      store: rules,
      recipients: recipients,
      notices: notices,
      zone: zone,
      logger: logger,
      metrics: metrics,
      clocks: clocks,
      clock: time
    )
    let snoozes = SnoozeWorker(
      store: SnoozeStore(client: client),
      inbox: InboxStore(client: client),
      catalogue: catalogue,
      realtime: RealtimePublisher(publisher: parts.publisher, appID: "belfry-router", logger: logger),
      logger: logger,
      clocks: clocks,
      clock: time
    )
    parts.checks.add { obstacles.problem }
    parts.checks.add { clocks.problem }
    return parts.services(maintenance, heldWorker, sender, scheduler, timers, absences, snoozes, worker)
  }
}
