import Broker
import CatalogueVersions
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceFaults

// MARK: Ingest

extension RouterDependencies {
  func ingestWorker(_ consumer: BrokerConsumer, faults: ServiceFaultWatch) -> IngestWorker {
    IngestWorker(
      consumer: consumer,
      processor: ingestProcessor(consumer),
      faults: faults,
      maximumTransaction: configuration.maximumTransaction,
      logger: logger,
      metrics: metrics
    )
  }

  private func ingestProcessor(_ consumer: BrokerConsumer) -> IngestProcessor {
    let groups = GroupStore(client: database)
    return IngestProcessor(
      consumer: consumer,
      catalogues: catalogues,
      router: batchRouter,
      topics: TopicRouter(
        topics: TopicDeliveryStore(client: database),
        outcomes: outcomes,
        publisher: publisher,
        home: zone
      ),
      events: EventRelay(groups: groups, chunkSize: configuration.chunkSize) { [publisher] messages in
        try await publisher.send(realtime: messages)
      },
      evaluator: eventEvaluator,
      expansion: AudienceExpansion(groups: groups, residents: residents, chunkSize: configuration.chunkSize),
      identifiers: identifiers,
      keys: IdempotencyStore(client: database),
      sends: schedules,
      requests: RequestStore(client: database),
      publisher: publisher,
      retention: configuration.maintenance.retention,
      logger: logger,
      metrics: metrics,
      versionSkewRetry: VersionSkewRetry(limit: configuration.patience),
      clock: clock
    )
  }

  private var batchRouter: BatchRouter {
    BatchRouter(
      recipients: recipients,
      viewers: viewers,
      waiting: held,
      notifications: NotificationStore(client: database),
      outcomes: outcomes,
      publisher: publisher,
      channels: channels,
      spread: spread,
      metrics: metrics
    )
  }
}

// MARK: Held

extension RouterDependencies {
  var heldWorker: HeldWorker {
    let types = HeldTypes(catalogues)
    return HeldWorker(
      store: held,
      processor: heldProcessor(types),
      types: types,
      logger: logger,
      metrics: metrics,
      identifiers: identifiers,
      clock: clock
    )
  }

  private func heldProcessor(_ types: HeldTypes) -> HeldProcessor {
    HeldProcessor(
      store: held,
      recipients: recipients,
      viewers: viewers,
      withdrawals: schedules,
      outcomes: outcomes,
      publisher: publisher,
      types: types,
      channels: channels,
      composeAbove: configuration.held.composeAbove,
      spread: spread,
      metrics: metrics,
      clock: time
    )
  }
}

// MARK: Schedules, and what was snoozed

extension RouterDependencies {
  func scheduleWorker(_ work: ScheduleStore.Work) -> ScheduleWorker {
    ScheduleWorker(runner: scheduleRunner, work: work, logger: logger)
  }

  private var scheduleRunner: ScheduleRunner {
    ScheduleRunner(
      schedules: schedules,
      residents: residents,
      catalogues: catalogues,
      home: zone,
      publish: { [publisher] in try await publisher.publish($0) },
      clock: clock,
      logger: logger
    )
  }

  var snoozeWorker: SnoozeWorker {
    SnoozeWorker(
      store: SnoozeStore(client: database),
      inbox: InboxStore(client: database),
      catalogues: catalogues,
      realtime: realtime,
      logger: logger,
      clock: clock
    )
  }
}

// MARK: Rules

extension RouterDependencies {
  private var eventEvaluator: EventEvaluator {
    let catalogue = catalogues.current.catalogue
    return EventEvaluator(
      rules: catalogue.rules,
      settings: catalogue.settings,
      store: rules,
      notices: notices,
      zone: zone,
      metrics: metrics
    )
  }

  var ruleTimerWorker: RuleTimerWorker {
    RuleTimerWorker(
      catalogues: catalogues,
      store: rules,
      notices: notices,
      zone: zone,
      logger: logger,
      metrics: metrics,
      clock: clock
    )
  }

  var absenceWorker: AbsenceWorker {
    AbsenceWorker(
      catalogues: catalogues,
      store: rules,
      recipients: recipients,
      identifiers: identifiers,
      notices: notices,
      zone: zone,
      logger: logger,
      metrics: metrics,
      clock: clock
    )
  }
}

// MARK: Maintenance

extension RouterDependencies {
  var maintenanceWorker: MaintenanceWorker {
    MaintenanceWorker(
      store: MaintenanceStore(client: database),
      configuration: configuration.maintenance,
      logger: logger
    )
  }
}
