import CatalogueVersions
public import Foundation
public import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceFaults
public import ServiceLifecycle
import ServiceRuntime

/// The router: decides who hears of what on which channels, and stores it.
public enum Router {
  /// Builds the router's services in order of dependency.
  ///
  /// - Parameter clock: This machine's.
  public static func build(
    _ configuration: RouterConfiguration,
    clock: @escaping @Sendable () -> Date = { Date.now },
    logger: Logger
  ) async throws -> [any Service] {
    let channels = Channel.routing(pushingBy: configuration.providers)
    var parts = ServiceParts(
      name: "belfry-router",
      configuration.parts,
      topology: Topology.durable(ladder: configuration.ladder),
      logger: logger
    )
    let consumer = parts.consumer(
      of: Topology.ingestQueue,
      // While one batch is worked on, the next one arrives.
      prefetch: 2 * configuration.maximumBatch,
      maximumBatch: configuration.maximumBatch
    )
    let catalogues = try CatalogueInForce(
      file: configuration.catalogueFile,
      channels: channels,
      store: CatalogueVersionStore(client: parts.database),
      logger: logger
    )
    parts.checks.add { catalogues.problem ?? catalogues.lag }
    parts.checks.tell("catalogue") { catalogues.summary }
    let dependencies = RouterDependencies(configuration, catalogues, parts, clock: clock, logger: logger)
    let faults = ServiceFaultWatch(logger: logger)
    parts.checks.add { faults.problem }
    parts.checks.add { [clock = dependencies.clock] in clock.problem }
    let workers: [any Service] = [
      dependencies.heldWorker,
      dependencies.scheduleWorker(.sends),
      dependencies.scheduleWorker(.schedules),
      dependencies.ruleTimerWorker,
      dependencies.absenceWorker,
      dependencies.snoozeWorker,
      dependencies.ingestWorker(consumer, faults: faults),
    ]
    // What is decided is decided by a catalogue.
    return parts.services(
      [catalogues, dependencies.maintenanceWorker] + workers.map { AfterCatalogue(catalogues, $0) }
    )
  }
}
