import Logging
import NotificationStore
import ServiceLifecycle

/// Runs the schema's maintenance at the start and then at intervals. Any number of routers may: one at a time does the work.
struct MaintenanceWorker: Service {
  let store: MaintenanceStore
  let configuration: MaintenanceConfiguration
  let logger: Logger

  func run() async throws {
    let poll = Poll(interval: configuration.interval, logger: logger, level: .error, longestPause: .seconds(60))
    await poll.run("maintenance failed") {
      let report = try await store.run(
        retention: configuration.retention,
        keyLifetime: configuration.keyLifetime,
        staleDevice: configuration.staleDevice
      )
      if let report, report != MaintenanceStore.Report() {
        logger.info("maintenance", metadata: ["done": "\(report)"])
      }
    }
  }
}
