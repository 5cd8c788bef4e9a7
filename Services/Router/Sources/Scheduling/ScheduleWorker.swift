import Logging
import NotificationStore
import ServiceLifecycle

/// Looks each second for what has come due. Any number of routers may: each row is one router's at a time.
struct ScheduleWorker: Service {
  let runner: ScheduleRunner
  /// Sends have a worker of their own, so that none waits while schedules are planned.
  let work: ScheduleStore.Work
  let logger: Logger
  var interval: Duration = .seconds(1)

  func run() async throws {
    let poll = Poll(interval: interval, logger: logger, level: .error)
    await poll.run("schedules are held up", metadata: ["work": "\(work)"]) {
      while try await runner.round(of: work), !Task.isShuttingDownGracefully {}
    }
  }
}
