import Broker
import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import ServiceRuntime
import WallClock

/// What controllers are made of: anew for each version of the catalogue. What has a state is made once, and shared by those of all
/// versions.
struct GatewayDependencies: Sendable {
  /// What it comes from, and what is in force after it.
  let catalogues: CatalogueInForce
  /// By which the controllers work that are made of this.
  private(set) var applied: AppliedCatalogue
  let database: PostgresClient
  let publisher: any MessagePublisher
  let deadLetters: any DeadLetterDesk
  let checks: HealthChecks
  /// Of users who have chosen none.
  let zone: Zone
  /// What browsers subscribe to pushes with.
  let vapidPublicKey: VAPIDPublicKey
  /// Of push services to which their subscriptions may lead.
  let pushHosts: PushServiceHosts
  /// Whether those may be in private networks.
  let allowsPrivateEndpoints: Bool
  /// By which receipts of pushes are recognised.
  let receipts: ReceiptKeys
  /// How many of a user are taken; nil is unlimited.
  let receiptLimit: RateLimiter?
  /// By which links to unsubscribe in mails are recognised.
  let unsubscribe: UnsubscribeKeys
  /// How many requests by them are taken from an address; nil is unlimited.
  let unsubscribeLimit: AddressLimiter?
  /// Who may report mails that came back.
  let bounces: BounceDesk
  /// What time it is.
  let clock: @Sendable () -> Date
  /// What users may do with all that is kept about them.
  let personal: PersonalConfiguration
  /// Where web pages reach the hub.
  let hub: HubAddress
  /// The exports that run.
  let exports = ExportLimiter()
  /// Who is at the dead letters.
  let deadLetterTurn = DeadLetterTurn()
  /// Who is who.
  let identities: UserIdentities
  let logger: Logger

  /// - Parameter catalogues: By whose current one controllers are made. For later ones: ``by(_:)``.
  init(
    catalogues: CatalogueInForce,
    database: PostgresClient,
    publisher: any MessagePublisher,
    deadLetters: any DeadLetterDesk,
    checks: HealthChecks,
    zone: Zone = .utc,
    vapidPublicKey: VAPIDPublicKey = .none,
    pushHosts: PushServiceHosts = .standard,
    allowsPrivateEndpoints: Bool = false,
    receipts: ReceiptKeys = .none,
    receiptLimit: RateLimiter? = nil,
    unsubscribe: UnsubscribeKeys = .none,
    unsubscribeLimit: AddressLimiter? = nil,
    bounces: BounceDesk? = nil,
    clock: @escaping @Sendable () -> Date = { Date.now },
    personal: PersonalConfiguration = PersonalConfiguration(),
    hub: HubAddress = .sameOrigin,
    identities: UserIdentities? = nil,
    logger: Logger
  ) {
    self.catalogues = catalogues
    applied = catalogues.current
    self.database = database
    self.publisher = publisher
    self.deadLetters = deadLetters
    self.checks = checks
    self.zone = zone
    self.vapidPublicKey = vapidPublicKey
    self.pushHosts = pushHosts
    self.allowsPrivateEndpoints = allowsPrivateEndpoints
    self.receipts = receipts
    self.receiptLimit = receiptLimit
    self.unsubscribe = unsubscribe
    self.unsubscribeLimit = unsubscribeLimit
    self.bounces = bounces ?? BounceDesk(logger: logger)
    self.clock = clock
    self.personal = personal
    self.hub = hub
    self.identities =
      identities ?? UserIdentities(store: UserIdentifierStore(client: database, logger: logger), clock: clock)
    self.logger = logger
  }

  /// The same of which the controllers for another catalogue are made.
  func by(_ applied: AppliedCatalogue) -> GatewayDependencies {
    var dependencies = self
    dependencies.applied = applied
    return dependencies
  }

  /// The same all through a request, however the one in force changes meanwhile.
  var catalogue: Catalogue { applied.catalogue }

  /// As routers have them.
  var channels: [any RoutingChannel] { catalogue.channels }

  /// The way to the routers.
  var ingest: IngestPublisher {
    IngestPublisher(publisher: publisher, catalogueVersion: applied.reference, clock: clock)
  }

  /// The way to open connections.
  var realtime: RealtimePublisher {
    RealtimePublisher(publisher: publisher, appID: "belfry-gateway", logger: logger)
  }
}
