import Broker
import CatalogueVersions
import Dispatching
public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceFaults
public import ServiceLifecycle
import ServiceRuntime
import Transport

/// The email dispatcher: hands notifications to a mail server and records what became of them.
public enum EmailDispatcher {
  /// Builds the dispatcher's services in order of dependency: for each stream of mails a worker on its queue.
  public static func build(_ configuration: EmailConfiguration, logger: Logger) async throws -> [any Service] {
    var parts = ServiceParts(
      name: "belfry-email",
      configuration.parts,
      topology: Topology.durable(ladder: configuration.ladder),
      logger: logger
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
    var services: [any Service] = [catalogues, mailServer]
    var bulkServer = mailServer
    let hasOneServer = configuration.bulk.smtp.isSameServer(as: configuration.smtp)
    if !hasOneServer {
      bulkServer = SMTPClient(configuration: configuration.bulk.smtp, logger: logger)
      services.append(bulkServer)
    }
    let erasures = ErasureWatch(source: ErasureStore(client: parts.database), logger: logger)
    services.append(erasures)
    let unsubscribing = UnsubscribeHeaders(configuration, logger: logger)
    if unsubscribing == nil { UnsubscribeHeaders.warn(of: catalogues, configuration, logger: logger) }
    // A backlog of bulk mails leaves the others the connections that are not its own.
    let connections = SharedPermits(count: configuration.smtp.maximumConnections, ranks: MailStream.allCases.count)
    let quota = SharedTokens(perMinute: configuration.quotaPerMinute)
    let admin = BrokerAdmin(configuration: parts.broker, logger: logger)
    for (rank, stream) in MailStream.allCases.enumerated() {
      let queue = WorkQueue(stream)
      let own = configuration.stream(stream)
      let worker = DispatchWorker(
        channel: EmailChannel(
          queue: queue,
          maximumAttempts: configuration.maximumAttempts,
          concurrency: own.smtp.maximumConnections,
          longestDelivery: own.smtp.timeout + own.smtp.contentTimeout,
          composer: EmailComposer(
            sender: own.sender,
            domain: configuration.messageIDDomain,
            feedbackSender: configuration.feedbackSender,
            catalogue: { catalogues.current.catalogue },
            logger: logger,
            signer: try configuration.dkim.signer(for: own.sender.address, through: own.smtp.host)
          ),
          mailServer: stream == .bulk ? bulkServer : mailServer,
          addresses: SuppressionStore(client: parts.database),
          logger: logger,
          identifiers: UserIdentifierStore(client: parts.database, logger: logger),
          returnPath: own.returnPath,
          signedReturnPath: configuration.signedReturnPath(stream),
          unsubscribing: unsubscribing,
          control: .mail(perMinute: configuration.quotaPerMinute, perDomain: configuration.domainQuotaPerMinute),
          server: stream == .bulk ? "mail.bulk" : "mail"
        ),
        consumer: parts.consumer(
          of: queue.name,
          prefetch: configuration.messagesInFlight(stream),
          maximumBatch: configuration.messagesInFlight(stream)
        ),
        publisher: parts.publisher,
        store: DeliveryStore(client: parts.database),
        erasures: erasures,
        ladder: configuration.ladder,
        timing: DispatchTiming(heartbeat: parts.broker.heartbeat),
        shared: connections.member(rank),
        quota: hasOneServer ? quota.member(leavesHalf: stream == .bulk) : nil,
        consumerCount: { try await admin.status(of: queue.name).consumers },
        answersUntil: configuration.answersUntil,
        logger: logger
      )
      let faults = worker.faults
      parts.checks.add { faults.problem }
      services.append(AfterCatalogue(catalogues, worker))
    }
    return parts.services(services)
  }
}
