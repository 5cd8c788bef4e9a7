import Authentication
import Broker
import CatalogueVersions
public import Foundation
import Hummingbird
import HummingbirdCore
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
  ///
  /// - Parameter clock: This machine's.
  public static func build(
    _ configuration: GatewayConfiguration,
    clock: @escaping @Sendable () -> Date = { Date.now },
    logger: Logger
  ) async throws -> [any Service] {
    var tokens = configuration.tokens
    tokens.reloadFailed = { logger.error("changed keys cannot be used", metadata: ["error": "\($0)"]) }
    let verifier = try TokenVerifier(configuration: tokens)
    var parts = ServiceParts(
      name: "belfry-gateway",
      configuration.parts,
      topology: Topology.durable(ladder: configuration.ladder),
      logger: logger
    )
    let catalogues = try CatalogueInForce(
      file: configuration.catalogueFile,
      channels: Channel.routing(pushingBy: configuration.providers),
      store: CatalogueVersionStore(client: parts.database),
      logger: logger
    )
    parts.checks.add(open: "catalogue") { catalogues.problem }
    parts.checks.tell("catalogue", open: { catalogues.openSummary }) { catalogues.summary }
    let notice = StopNotice(delay: configuration.stopDelay)
    parts.checks.add(StopNotice.condition) { !notice.isGiven }
    let databaseClock = DatabaseClock(client: parts.database)
    let clocks = ClockWatch(clock: clock, consequence: "not ready until the clocks agree", logger: logger) {
      try await databaseClock.now()
    }
    parts.checks.add { clocks.problem }
    // Whatever this machine's clock shows: what it accepts is compared with what others date.
    let time: @Sendable () -> Date = { clocks.now }
    let keys = APIKeyVerifier(store: APIKeyStore(client: parts.database), clock: time, logger: logger)
    let identities = UserIdentities(
      store: UserIdentifierStore(client: parts.database, logger: logger),
      clock: time
    )
    let limits = RateLimits(configuration.edge)
    let responder = responder(
      GatewayDependencies(
        catalogues: catalogues,
        database: parts.database,
        publisher: parts.publisher,
        deadLetters: BrokerDeadLetters(configuration: parts.broker, logger: logger),
        checks: parts.checks,
        zone: configuration.timezone,
        vapidPublicKey: configuration.vapidPublicKey,
        pushHosts: configuration.pushHosts,
        allowsPrivateEndpoints: configuration.allowsPrivateEndpoints,
        receipts: configuration.receipts,
        receiptLimit: limits.receipts,
        unsubscribe: configuration.unsubscribe,
        unsubscribeLimit: limits.unsubscribes,
        bounces: BounceDesk(configuration.bounces, limits: limits, logger: logger),
        clock: time,
        personal: configuration.personal,
        hub: configuration.hub,
        identities: identities,
        logger: logger
      ),
      authentication: AuthenticationMiddleware(
        verifier: verifier,
        keys: keys,
        limits: limits,
        identities: identities
      ),
      origins: configuration.edge.allowedOrigins
    )
    let application = Application(
      responder: responder,
      server: .http1(within: configuration.limits, logger: logger),
      configuration: .init(
        address: .hostname(configuration.host, port: configuration.port),
        serverName: "belfry",
        availableConnectionsDelegate: MaximumAvailableConnections(configuration.limits.maximumConnections)
      ),
      logger: logger
    )
    return parts.services(catalogues, clocks, keys, AfterCatalogue(catalogues, application, until: .asked)) + [notice]
  }
}
