import Broker
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import Postgres
import ServiceRuntime
import WallClock

/// What controllers are made of.
struct GatewayDependencies: Sendable {
  let catalogue: Catalogue
  let database: PostgresClient
  let publisher: any MessagePublisher
  let deadLetters: any DeadLetterDesk
  let checks: HealthChecks
  /// Of users who have chosen none.
  let zone: Zone
  /// As routers have them.
  let channels: [any RoutingChannel]
  /// What browsers subscribe to pushes with.
  let vapidPublicKey: VAPIDPublicKey
  /// Whether their subscriptions may name endpoints in private networks.
  let allowsPrivateEndpoints: Bool
  /// What time it is.
  let clock: @Sendable () -> Date
  /// What users may do with all that is kept about them.
  let personal: PersonalConfiguration
  /// Where web pages reach the hub.
  let hub: HubAddress
  let logger: Logger

  init(
    catalogue: Catalogue,
    database: PostgresClient,
    publisher: any MessagePublisher,
    deadLetters: any DeadLetterDesk,
    checks: HealthChecks,
    zone: Zone = .utc,
    channels: [any RoutingChannel] = Channel.routing,
    vapidPublicKey: VAPIDPublicKey = .none,
    allowsPrivateEndpoints: Bool = false,
    clock: @escaping @Sendable () -> Date = { Date.now },
    personal: PersonalConfiguration = PersonalConfiguration(),
    hub: HubAddress = .sameOrigin,
    logger: Logger
  ) {
    self.catalogue = catalogue
    self.database = database
    self.publisher = publisher
    self.deadLetters = deadLetters
    self.checks = checks
    self.zone = zone
    self.channels = channels
    self.vapidPublicKey = vapidPublicKey
    self.allowsPrivateEndpoints = allowsPrivateEndpoints
    self.clock = clock
    self.personal = personal
    self.hub = hub
    self.logger = logger
  }

  /// The way to the routers.
  var ingest: IngestPublisher { IngestPublisher(publisher: publisher) }

  /// The way to open connections.
  var realtime: RealtimePublisher {
    RealtimePublisher(publisher: publisher, appID: "belfry-gateway", logger: logger)
  }
}
