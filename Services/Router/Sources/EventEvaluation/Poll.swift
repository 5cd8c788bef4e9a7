import Logging
import Retrying
import ServiceLifecycle

/// Does something again and again until the service stops; after a failure, later and later.
struct Poll {
  let interval: Duration
  let logger: Logger

  /// - Parameter what: For the log: `timers of rules`.
  func run(_ what: String, _ body: () async throws -> Void) async {
    let first = Backoff(first: .seconds(1), longest: .seconds(30))
    var backoff = first
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      do {
        try await body()
        backoff = first
        try await cancelWhenGracefulShutdown { [interval] in try await Task.sleep(for: interval) }
      } catch  where error.isCancellation {
        return
      } catch {
        logger.warning("\(what) failed, trying again", metadata: ["error": "\(error)"])
        do { try await backoff.pause() } catch { return }  // the service stops
      }
    }
  }
}
