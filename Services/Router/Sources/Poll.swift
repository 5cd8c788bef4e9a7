import Logging
import Retrying
import ServiceLifecycle

/// Does something again and again until the service stops; after a failure, later and later. The loop of all workers that look
/// for what has come due.
struct Poll {
  /// How long it rests when there is nothing more to do.
  let interval: Duration
  let logger: Logger
  /// How a failure is logged.
  var level: Logger.Level = .warning
  /// The pauses after failures begin with this and double up to ``longestPause``.
  var firstPause: Duration = .seconds(1)
  var longestPause: Duration = .seconds(30)

  /// Rests after each turn.
  ///
  /// - Parameters:
  ///   - failure: For the log: `timers of rules failed`.
  ///   - metadata: For the log, beside the error.
  func run(_ failure: String, metadata: Logger.Metadata = [:], _ turn: () async throws -> Void) async {
    await drain(failure, metadata: metadata) {
      try await turn()
      return false
    }
  }

  /// Rests only after turns that leave nothing.
  ///
  /// - Parameters:
  ///   - failure: For the log: `timers of rules failed`.
  ///   - metadata: For the log, beside the error.
  ///   - turn: Returns whether there may be more.
  func drain(_ failure: String, metadata: Logger.Metadata = [:], _ turn: () async throws -> Bool) async {
    let first = Backoff(first: firstPause, longest: longestPause)
    var backoff = first
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      do {
        let isMore = try await turn()
        backoff = first
        if !isMore { try await cancelWhenGracefulShutdown { [interval] in try await Task.sleep(for: interval) } }
      } catch  where error.isCancellation {
        return
      } catch {
        let metadata = metadata.merging(["error": "\(error)"]) { $1 }
        logger.log(level: level, "\(failure), trying again", metadata: metadata)
        do { try await backoff.pause() } catch { return }  // the service stops
      }
    }
  }
}
