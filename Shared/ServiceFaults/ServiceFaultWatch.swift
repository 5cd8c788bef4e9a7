public import Logging
import Synchronization

/// Remembers what only the operator can mend, from the first failure until work succeeds again. The log is told of each
/// change once, readiness as long as it lasts.
public final class ServiceFaultWatch: Sendable {
  private let current = Mutex<ServiceFault?>(nil)
  private let logger: Logger

  public init(logger: Logger) {
    self.logger = logger
  }

  /// What is in the way; nil if nothing is.
  public var problem: String? { current.withLock { $0?.name } }

  public func met(_ obstacle: ServiceFault, _ error: any Error) {
    guard exchange(for: obstacle) != obstacle else { return }
    logger.error(
      "work waits until the operator mends the installation; nothing is lost",
      metadata: [
        "problem": "\(obstacle.name)", "remedy": "\(obstacle.remedy)", "error": "\(String(reflecting: error))",
      ]
    )
  }

  public func passed() {
    guard let obstacle = exchange(for: nil) else { return }
    logger.notice("work goes on", metadata: ["mended": "\(obstacle.name)"])
  }

  /// Answers what was there before.
  private func exchange(for obstacle: ServiceFault?) -> ServiceFault? {
    current.withLock { current in
      defer { current = obstacle }
      return current
    }
  }
}
