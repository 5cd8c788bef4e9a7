public import Logging
import Synchronization

/// Remembers what only the operator can fix, from the first failure until work succeeds again. The log has each
/// change once, readiness as long as it lasts.
public final class ServiceFaultWatch: Sendable {
  private let current = Mutex<ServiceFault?>(nil)
  private let logger: Logger

  public init(logger: Logger) {
    self.logger = logger
  }

  /// What is in the way; nil if nothing is.
  public var problem: String? { current.withLock { $0?.name } }

  public func met(_ fault: ServiceFault, _ error: any Error) {
    guard exchange(for: fault) != fault else { return }
    logger.error(
      "work waits until the operator mends the installation; nothing is lost",
      metadata: [
        "problem": "\(fault.name)", "remedy": "\(fault.remedy)", "error": "\(String(reflecting: error))",
      ]
    )
  }

  public func passed() {
    guard let fault = exchange(for: nil) else { return }
    logger.notice("work goes on", metadata: ["resolved": "\(fault.name)"])
  }

  /// Answers what was there before.
  private func exchange(for fault: ServiceFault?) -> ServiceFault? {
    current.withLock { current in
      defer { current = fault }
      return current
    }
  }
}
