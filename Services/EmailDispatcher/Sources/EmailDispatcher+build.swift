import Broker
import CatalogueVersions
import Dispatching
public import Logging
import NotificationQueue
import NotificationStore
import ServiceFaults
public import ServiceLifecycle
import ServiceRuntime
import Transport

/// The email dispatcher: hands notifications to a mail server and records what became of them.
public enum EmailDispatcher {
  /// Builds the dispatcher's services in order of dependency.
  public static func build(_ configuration: EmailConfiguration, logger: Logger) async throws -> [any Service] {
    var parts = ServiceParts(
      name: "belfry-email",
      configuration.parts,
      topology: Topology.durable(ladder: configuration.ladder),
      logger: logger
    )
    let consumer = parts.consumer(
      of: WorkQueue.email.name,
      prefetch: configuration.prefetch,
      maximumBatch: configuration.prefetch
    )
    // Mails are made by the types and the layout in force.
    let catalogues = try CatalogueInForce(
      file: configuration.catalogueFile,
      store: CatalogueVersionStore(client: parts.database),
      logger: logger
    )
    parts.checks.add { catalogues.problem }
    parts.checks.tell("catalogue") { catalogues.summary }
    let mailServer = SMTPClient(configuration: configuration.smtp, logger: logger)
    let channel = EmailChannel(
      maximumAttempts: configuration.maximumAttempts,
      concurrency: configuration.smtp.maximumConnections,
      longestDelivery: configuration.smtp.timeout + configuration.smtp.contentTimeout,
      composer: EmailComposer(
        sender: configuration.sender,
        domain: configuration.messageIDDomain,
        catalogue: { catalogues.current.catalogue }
      ),
      mailServer: mailServer,
      addresses: UserStore(client: parts.database),
      logger: logger,
      identifiers: UserIdentifierStore(client: parts.database, logger: logger)
    )
    let erasures = ErasureWatch(source: ErasureStore(client: parts.database), logger: logger)
    let worker = DispatchWorker(
      channel: channel,
      consumer: consumer,
      publisher: parts.publisher,
      store: DeliveryStore(client: parts.database),
      erasures: erasures,
      ladder: configuration.ladder,
      timing: DispatchTiming(heartbeat: parts.broker.heartbeat),
      logger: logger
    )
    let faults = worker.faults
    parts.checks.add { faults.problem }
    return parts.services(catalogues, mailServer, erasures, AfterCatalogue(catalogues, worker))
  }
}
