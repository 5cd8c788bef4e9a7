public import ServiceLifecycle
import Synchronization

/// Announces that a service is about to stop, and lets it go on for a while: until balancers lead nobody to it any more.
///
/// To be the last in the order of dependency, so that it stops first, and one of the ``HealthChecks``.
public final class StopNotice: Service {
  /// What is not the case any more once the notice is given, for operators.
  public static let condition = "not shutting down"

  private let wait: @Sendable () async throws -> Void
  private let given = Atomic(false)

  /// - Parameter delay: Between the notice and the stop; longer than a balancer needs to see the one.
  public convenience init(delay: Duration) {
    self.init { try await Task.sleep(for: delay) }
  }

  init(wait: @escaping @Sendable () async throws -> Void) { self.wait = wait }

  /// Whether the shutdown has begun.
  public var isGiven: Bool { given.load(ordering: .relaxed) }

  public func run() async throws {
    try await gracefulShutdown()
    given.store(true, ordering: .relaxed)
    try await wait()
  }
}
