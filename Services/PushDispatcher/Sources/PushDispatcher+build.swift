import Broker
import Dispatching
public import Logging
import NotificationQueue
import NotificationStore
import Obstacles
public import ServiceLifecycle
import ServiceRuntime
import Transport

/// The push dispatcher: hands notifications to FCM and records what became of them.
public enum PushDispatcher {
  /// Builds the dispatcher's services in order of dependency.
  public static func build(_ configuration: PushConfiguration, logger: Logger) async throws -> [any Service] {
    let account = try ServiceAccount(file: configuration.serviceAccountFile)
    var parts = ServiceParts(
      name: "belfry-push",
      configuration.parts,
      topology: Topology.durable(ladder: configuration.ladder),
      logger: logger
    )
    let consumer = parts.consumer(
      of: WorkQueue.push.name,
      prefetch: configuration.prefetch,
      maximumBatch: configuration.prefetch
    )
    var transport = HTTPClientConfiguration()
    transport.maximumConnectionsPerHost = configuration.connections
    transport.timeout = configuration.requestTimeout
    transport.caFile = configuration.caFile.isEmpty ? nil : configuration.caFile
    let fcm = try HTTP2Client(origin: configuration.endpoint, configuration: transport, logger: logger)
    // Once an hour: one connection is enough.
    transport.maximumConnectionsPerHost = 1
    let tokenServer = try HTTP2Client(origin: account.tokenOrigin, configuration: transport, logger: logger)
    let channel = PushChannel(
      maximumAttempts: configuration.maximumAttempts,
      // Token and push, and both again if the token is refused.
      longestDelivery: configuration.requestTimeout * 4,
      providers: PushProviders([
        FCMProvider(
          concurrency: configuration.connections * transport.maximumStreamsPerConnection,
          url: "\(configuration.endpoint)/v1/projects/\(account.projectID)/messages:send",
          web: FCMMessage.Web(
            link: configuration.webLink.isEmpty ? nil : configuration.webLink,
            icon: configuration.webIcon.isEmpty ? nil : configuration.webIcon
          ),
          client: fcm,
          tokens: try AccessTokens(account: account, client: tokenServer, logger: logger),
          logger: logger
        )
      ]),
      devices: DeviceStore(client: parts.database),
      logger: logger
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
    let obstacles = worker.obstacles
    parts.checks.add { obstacles.problem }
    return parts.services(fcm, tokenServer, erasures, worker)
  }
}
