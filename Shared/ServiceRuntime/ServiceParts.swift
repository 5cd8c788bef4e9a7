public import Broker
public import Logging
public import Postgres
public import ServiceLifecycle

/// What every service is composed of: the database's client, the broker's publisher and consumers, and its health.
///
/// ```swift
/// var parts = ServiceParts(name: "belfry-router", configuration.parts, topology: topology, logger: logger)
/// let consumer = parts.consumer(of: Topology.ingestQueue, prefetch: 1_000, maximumBatch: 500)
/// return parts.services(IngestWorker(consumer: consumer, client: parts.database))
/// ```
public struct ServiceParts {
  public let database: PostgresClient
  public let publisher: BrokerPublisher
  /// For connections beside the publisher's and the consumers'; it has the service's name.
  public let broker: BrokerConfiguration
  /// What must hold for the service to be ready: at first that the database and the publisher are connected.
  public var checks = HealthChecks()

  private let topology: BrokerTopology
  private let health: HealthConfiguration
  private let logger: Logger

  /// - Parameters:
  ///   - name: The program's, e.g. `belfry-router`: so the database and the broker list its connections.
  ///   - topology: Declared at every connect of the publisher and of the consumers.
  public init(
    name: String,
    _ configuration: PartsConfiguration,
    topology: BrokerTopology = .none,
    logger: Logger
  ) {
    var database = configuration.database
    database.applicationName = name
    var broker = configuration.broker.connection
    broker.connectionName = name
    let client = PostgresClient(configuration: database, logger: logger)
    let publisher = BrokerPublisher(
      configuration: broker,
      topology: topology,
      maximumUnconfirmed: configuration.broker.maximumUnconfirmed,
      logger: logger
    )
    self.database = client
    self.publisher = publisher
    self.broker = broker
    self.topology = topology
    health = configuration.health
    self.logger = logger
    checks.add("database") { client.isReady }
    checks.add("publisher") { publisher.state == .connected }
  }

  /// A consumer of one of the topology's queues; from now on the service is ready only while it consumes.
  public mutating func consumer(of queue: String, prefetch: Int, maximumBatch: Int) -> BrokerConsumer {
    let consumer = BrokerConsumer(
      configuration: broker,
      topology: topology,
      queue: queue,
      prefetch: prefetch,
      maximumBatch: maximumBatch,
      logger: logger
    )
    checks.add("consumer") { consumer.isReady }
    return consumer
  }

  /// Serves the checks made so far, and metrics if there are any.
  public func healthServer(metrics: (@Sendable () -> String)? = nil) -> HealthServer {
    HealthServer(configuration: health, checks: checks, metrics: metrics, logger: logger)
  }

  /// Everything in order of dependency: the connections, what is the service's own, and last, so that it stops first,
  /// what reports that the service is ready.
  public func services(_ own: any Service...) -> [any Service] { services(own) }

  public func services(_ own: [any Service]) -> [any Service] {
    [database, publisher] + own + [healthServer()]
  }
}
