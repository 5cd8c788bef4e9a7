import Logging
import Retrying

/// How much of a provider's quota this process takes.
extension DispatchWorker {
  /// Asks how many consumers share the quota, again and again, until cancelled. While nobody answers the last number counts.
  func followShare(_ consumerCount: @Sendable () async throws -> Int) async {
    var failures = 0
    while !Task.isCancelled {
      do {
        limit.control.setConsumers(try await consumerCount())
        if failures >= Self.failuresToTell { logger.notice("it is known again how many processes share the quota") }
        failures = 0
      } catch {
        // The service stops.
        if Task.isCancelled { return }
        failures += 1
        logger.debug("waiting to know who shares the quota", metadata: ["error": "\(error)"])
        if failures == Self.failuresToTell {
          logger.warning(
            "it is not known how many processes share the quota: together they may exceed it",
            metadata: ["assumed": "\(limit.control.consumers)", "error": "\(error)"]
          )
        }
      }
      do {
        try await Task.sleep(for: timing.shareInterval)
      } catch {
        return
      }
    }
  }

  /// Half a minute, at the usual interval: a restart of the broker is no news.
  private static var failuresToTell: Int { 3 }
}
