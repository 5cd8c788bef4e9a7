import Logging
import Retrying

/// How much of a provider's quota this process takes.
extension DispatchWorker {
  /// Asks how many consumers share the quota, again and again, until cancelled. While nobody answers the last number counts.
  func followShare(_ consumerCount: @Sendable () async throws -> Int) async {
    while !Task.isCancelled {
      do {
        limit.control.setConsumers(try await consumerCount())
      } catch {
        logger.debug("waiting to know who shares the quota", metadata: ["error": "\(error)"])
      }
      do {
        try await Task.sleep(for: timing.shareInterval)
      } catch {
        return
      }
    }
  }
}
