import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import ServiceRuntime
import WallClock

/// What the router's workers are made of, and share.
struct RouterDependencies {
  let configuration: RouterConfiguration
  let catalogues: CatalogueInForce
  let channels: [any RoutingChannel]
  let spread: DueSpread
  let database: PostgresClient
  let held: HeldStore
  let schedules: ScheduleStore
  let residents: AudienceStore
  let recipients: RecipientStore
  let outcomes: DeliveryStore
  let rules: RuleStore
  let identifiers: UserIdentifierStore
  let viewers: Viewers
  let publisher: RouterPublisher
  let notices: NoticePublisher
  let realtime: RealtimePublisher
  let clock: ClockWatch
  /// Whatever this machine's clock shows, all routers and gateways date by the same one.
  let time: @Sendable () -> Date
  let metrics = RouterMetrics()
  let logger: Logger

  /// - Parameter clock: This machine's.
  init(
    _ configuration: RouterConfiguration,
    _ catalogues: CatalogueInForce,
    _ parts: ServiceParts,
    clock: @escaping @Sendable () -> Date,
    logger: Logger
  ) {
    let client = parts.database
    self.configuration = configuration
    self.catalogues = catalogues
    // The same for all versions: they are this process's own.
    channels = catalogues.current.catalogue.channels
    self.logger = logger
    spread = DueSpread(seconds: Int(configuration.held.spread / .seconds(1)))
    database = client
    held = HeldStore(client: client)
    schedules = ScheduleStore(client: client)
    residents = AudienceStore(client: client)
    recipients = RecipientStore(client: client, zone: configuration.timezone, channels: channels)
    outcomes = DeliveryStore(client: client)
    rules = RuleStore(client: client)
    identifiers = UserIdentifierStore(client: client, logger: logger)
    viewers = Viewers(store: PresenceStore(client: client), logger: logger)
    let databaseClock = DatabaseClock(client: client)
    let watch = ClockWatch(
      clock: clock,
      consequence: "work waits until the clocks agree; nothing is lost",
      logger: logger
    ) { try await databaseClock.now() }
    self.clock = watch
    time = { watch.now }
    publisher = RouterPublisher(publisher: parts.publisher, clock: time)
    notices = NoticePublisher(store: rules, publisher: publisher)
    realtime = RealtimePublisher(publisher: parts.publisher, appID: "belfry-router", logger: logger)
  }

  /// Of people who have none.
  var zone: Zone { configuration.timezone }
}
