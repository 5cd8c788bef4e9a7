import Broker
import Dispatching
public import Logging
import NotificationQueue
import NotificationStore
import ServiceFaults
public import ServiceLifecycle
import ServiceRuntime

/// The push dispatcher: hands notifications to the services that carry pushes and records what became of them.
public enum PushDispatcher {
  /// Builds the dispatcher's services in order of dependency: for each provider a worker on its queue.
  public static func build(_ configuration: PushConfiguration, logger: Logger) async throws -> [any Service] {
    var parts = ServiceParts(
      name: "belfry-push",
      configuration.parts,
      topology: Topology.durable(ladder: configuration.ladder),
      logger: logger
    )
    let devices = DeviceStore(client: parts.database)
    let providers = try configuration.factories.map {
      (factory: $0, made: try $0.make(devices: devices, logger: logger))
    }
    let erasures = ErasureWatch(source: ErasureStore(client: parts.database), logger: logger)
    var services: [any Service] = providers.flatMap(\.made.services) + [erasures]
    let topics = TopicRegistrationStore(client: parts.database)
    for (factory, made) in providers {
      services += try factory.reconcilers(of: topics, logger: logger)
      let queue = WorkQueue(factory.carrier)
      let worker = DispatchWorker(
        channel: PushChannel(
          queue: queue,
          maximumAttempts: configuration.maximumAttempts,
          longestDelivery: factory.longestPush,
          provider: made.provider,
          devices: devices,
          logger: logger
        ),
        consumer: parts.consumer(
          of: queue.name,
          prefetch: configuration.prefetch,
          maximumBatch: configuration.prefetch
        ),
        publisher: parts.publisher,
        store: DeliveryStore(client: parts.database),
        erasures: erasures,
        ladder: configuration.ladder,
        timing: DispatchTiming(heartbeat: parts.broker.heartbeat),
        consumerCount: { [admin = BrokerAdmin(configuration: parts.broker, logger: logger)] in
          try await admin.status(of: queue.name).consumers
        },
        logger: logger
      )
      let faults = worker.faults
      parts.checks.add { faults.problem }
      if let problem = made.problem { parts.checks.add(problem) }
      services.append(worker)
    }
    return parts.services(services)
  }
}
