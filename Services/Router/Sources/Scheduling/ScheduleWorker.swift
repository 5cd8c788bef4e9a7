import Logging
import NotificationStore
import Retrying
import ServiceLifecycle

/// Looks each second for what has come due. Any number of routers may: each row is one router's at a time.
struct ScheduleWorker: Service {
  let runner: ScheduleRunner
  /// Sends have a worker of their own, so that none waits while schedules are planned.
  let work: ScheduleStore.Work
  let logger: Logger
  var interval: Duration = .seconds(1)

  func run() async throws {
    var backoff = Self.backoff
    while !Task.isShuttingDownGracefully {
      do {
        while try await runner.round(of: work), !Task.isShuttingDownGracefully {}
        backoff = Self.backoff
        try await cancelWhenGracefulShutdown { [interval] in
          try await Task.sleep(for: interval)
        }
      } catch  where error.isCancellation {
        return
      } catch {
        logger.error("schedules are held up, trying again", metadata: ["error": "\(error)", "work": "\(work)"])
        do {
          try await backoff.pause()
        } catch {
          return  // the service stops
        }
      }
    }
  }

  private static var backoff: Backoff { Backoff(first: .seconds(1), longest: .seconds(30)) }
}
