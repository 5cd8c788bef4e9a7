import Authentication
import Broker
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
    let catalogue = try Catalogue(file: configuration.catalogueFile)
    var tokens = configuration.tokens
    tokens.reloadFailed = { logger.error("changed keys cannot be used", metadata: ["error": "\($0)"]) }
    let verifier = try TokenVerifier(configuration: tokens)
    var parts = ServiceParts(
      name: "belfry-gateway",
      configuration.parts,
      topology: Topology.durable(ladder: configuration.ladder),
      logger: logger
    )
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
    let router = router(
      GatewayDependencies(
        catalogue: catalogue,
        database: parts.database,
        publisher: parts.publisher,
        deadLetters: BrokerDeadLetters(configuration: parts.broker, logger: logger),
        checks: parts.checks,
        zone: configuration.timezone,
        channels: Channel.routing(pushingBy: configuration.providers),
        vapidPublicKey: configuration.vapidPublicKey,
        allowsPrivateEndpoints: configuration.allowsPrivateEndpoints,
        clock: time,
        personal: configuration.personal,
        hub: configuration.hub,
        logger: logger
      ),
      authentication: AuthenticationMiddleware(
        verifier: verifier,
        keys: keys,
        limits: RateLimits(configuration.edge)
      ),
      origins: configuration.edge.allowedOrigins
    )
    let application = Application(
      router: router,
      server: .http1(within: configuration.limits, logger: logger),
      configuration: .init(
        address: .hostname(configuration.host, port: configuration.port),
        serverName: "belfry",
        availableConnectionsDelegate: MaximumAvailableConnections(configuration.limits.maximumConnections)
      ),
      logger: logger
    )
    return parts.services(clocks, keys, application) + [notice]
  }
}
