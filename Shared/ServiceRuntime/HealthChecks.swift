/// Named conditions under which a service is ready, e.g. "database is connected".
///
/// A check answers at once from memory: it is called for every probe and must not wait.
public struct HealthChecks: Sendable {
  private var checks: [@Sendable () -> String?] = []
  private var facts: [(name: StaticString, text: @Sendable () -> String)] = []

  public init() {}

  /// Adds a condition; `name` is shown to the operator when it fails.
  public mutating func add(_ name: String, _ isReady: @escaping @Sendable () -> Bool) {
    checks.append { isReady() ? nil : name }
  }

  /// Adds what answers itself what is wrong, e.g. "database: partition"; nil while nothing is.
  public mutating func add(_ problem: @escaping @Sendable () -> String?) {
    checks.append(problem)
  }

  /// Adds what an operator wants to see beside the conditions, e.g. which version of something is in force; from memory, too.
  public mutating func tell(_ name: StaticString, _ text: @escaping @Sendable () -> String) {
    facts.append((name, text))
  }

  /// What there is to see now, with the names of its members.
  public func told() -> [(name: StaticString, text: String)] { facts.map { ($0.name, $0.text()) } }

  /// The names of the conditions that do not hold now; empty means ready.
  public func failing() -> [String] {
    checks.compactMap { $0() }
  }
}
