/// Named conditions under which a service is ready, e.g. "database is connected".
///
/// A check answers at once from memory: it is called for every probe and must not wait.
public struct HealthChecks: Sendable {
  private var checks: [(name: String, isReady: @Sendable () -> Bool)] = []

  public init() {}

  /// Adds a condition; `name` is shown to the operator when it fails.
  public mutating func add(_ name: String, _ isReady: @escaping @Sendable () -> Bool) {
    checks.append((name, isReady))
  }

  /// The names of the conditions that do not hold now; empty means ready.
  public func failing() -> [String] {
    checks.filter { !$0.isReady() }.map(\.name)
  }
}
