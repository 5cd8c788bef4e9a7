import Authentication
import Broker
import CatalogueVersions
public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
public import ServiceLifecycle
import ServiceRuntime
import Synchronization

/// The in-app dispatcher: holds the open connections of apps and browsers, and sends them what is new.
public enum InAppDispatcher {
  /// Builds the in-app dispatcher: the consumer of realtime messages, the hub, and what its methods need.
  ///
  /// The hub comes behind all that it uses and so stops before it: clients still receive events while they are sent elsewhere.
  public static func build(_ configuration: InAppConfiguration, logger: Logger) async throws -> [any Service] {
    var tokens = configuration.tokens
    tokens.reloadFailed = { error in
      logger.error("the changed keys are not used", metadata: ["reason": .string("\(error)".debugDescription)])
    }
    let verifier = try TokenVerifier(configuration: tokens)
    var parts = ServiceParts(name: "belfry-inapp", configuration.parts, logger: logger)
    let client = parts.database
    let catalogues = try CatalogueInForce(
      file: configuration.catalogueFile,
      store: CatalogueVersionStore(client: client),
      logger: logger
    )
    let presence = PresenceKeeper(store: PresenceStore(client: client), node: configuration.node, logger: logger)
    let methods = HubMethods(
      inbox: InboxStore(client: client),
      realtime: RealtimePublisher(publisher: parts.publisher, appID: "belfry-inapp", logger: logger),
      catalogues: catalogues,
      presence: presence,
      logger: logger
    )
    let interruption = Interruption()
    let consumer = RealtimeConsumer.queue(
      of: configuration.node,
      shards: configuration.server.placement.shards,
      configuration: parts.broker,
      interrupted: { interruption.report() },
      logger: logger
    )
    // Without the database or the publisher, clients still receive; only what they call fails, and who goes by no UUID and has not
    // been here for a minute cannot connect. At the start it must say once which catalogue is in force.
    parts.checks = HealthChecks()
    parts.checks.add("broker is connected") { consumer.isReady }
    parts.checks.add(open: "catalogue") { catalogues.problem }
    parts.checks.tell("catalogue", open: { catalogues.openSummary }) { catalogues.summary }
    let notice = StopNotice(delay: configuration.server.stopDelay)
    parts.checks.add(StopNotice.condition) { !notice.isGiven }
    let server = HubServer(
      configuration: configuration.server,
      verifier: verifier,
      identifiers: UserIdentifierStore(client: client, logger: logger),
      methods: methods,
      checks: parts.checks,
      logger: logger
    )
    interruption.handle {
      logger.notice("events were missed while the broker was away: clients are asked to reconnect")
      server.sendEverybodyAway()
    }
    let health = parts.healthServer {
      HubMetrics.text(server.statistics, connections: server.connectionCount, catalogues: catalogues)
    }
    return [
      parts.database, parts.publisher, catalogues, presence, health,
      RealtimeConsumer(consumer: consumer, server: server, logger: logger), server, notice,
    ]
  }
}

/// Ties the consumer, which is made first, to the hub.
private final class Interruption: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  func handle(_ handler: @escaping @Sendable () -> Void) { self.handler.withLock { $0 = handler } }

  func report() { handler.withLock(\.self)?() }
}
