import Logging
import NotificationStore
import Retrying
import ServiceLifecycle

/// Runs the schema's maintenance at the start and then at intervals. Any number of routers may: one at a time does the work.
struct MaintenanceWorker: Service {
  let store: MaintenanceStore
  let configuration: MaintenanceConfiguration
  let logger: Logger

  func run() async throws {
    var backoff = Backoff(first: .seconds(1), longest: .seconds(60))
    while !Task.isShuttingDownGracefully {
      do {
        let report = try await store.run(
          retention: configuration.retention,
          keyLifetime: configuration.keyLifetime,
          staleDevice: configuration.staleDevice
        )
        if let report, report != MaintenanceStore.Report() {
          logger.info("maintenance", metadata: ["done": "\(report)"])
        }
        backoff = Backoff(first: .seconds(1), longest: .seconds(60))
        try await cancelWhenGracefulShutdown { [configuration] in
          try await Task.sleep(for: configuration.interval)
        }
      } catch  where error.isCancellation {
        return
      } catch {
        logger.error("maintenance failed, trying again", metadata: ["error": "\(error)"])
        do {
          try await backoff.pause()
        } catch {
          return  // the service stops
        }
      }
    }
  }
}
