/// Named conditions under which a service is ready, e.g. "database is connected".
///
/// A check answers at once from memory: it is called for every probe and must not wait.
public struct HealthChecks: Sendable {
  private struct Check: Sendable {
    /// What anybody may know of it, if that is not all.
    var open: String?
    let problem: @Sendable () -> String?
  }

  private struct Fact: Sendable {
    let name: StaticString
    let open: @Sendable () -> String
    let text: @Sendable () -> String
  }

  private var checks: [Check] = []
  private var facts: [Fact] = []

  public init() {}

  /// Adds a condition; `name` is shown to the operator when it fails.
  public mutating func add(_ name: String, _ isReady: @escaping @Sendable () -> Bool) {
    checks.append(Check { isReady() ? nil : name })
  }

  /// Adds what answers itself what is wrong, e.g. "database: partition"; nil while nothing is.
  ///
  /// - Parameter open: What anybody may know of it, where what is wrong is the operator's alone.
  public mutating func add(open: String? = nil, _ problem: @escaping @Sendable () -> String?) {
    checks.append(Check(open: open, problem: problem))
  }

  /// Adds what an operator wants to see beside the conditions, e.g. which version of something is in force; from memory, too.
  ///
  /// - Parameter open: What anybody may see of it, where not all is for everybody.
  public mutating func tell(
    _ name: StaticString,
    open: (@Sendable () -> String)? = nil,
    _ text: @escaping @Sendable () -> String
  ) {
    facts.append(Fact(name: name, open: open ?? text, text: text))
  }

  /// What there is to see now, with the names of its members.
  ///
  /// - Parameter isOpen: Whether anybody may ask, as on a port for clients.
  public func told(isOpen: Bool = false) -> [(name: StaticString, text: String)] {
    facts.map { ($0.name, isOpen ? $0.open() : $0.text()) }
  }

  /// The names of the conditions that do not hold now; empty means ready.
  ///
  /// - Parameter isOpen: Whether anybody may ask.
  public func failing(isOpen: Bool = false) -> [String] {
    checks.compactMap { check in check.problem().map { isOpen ? check.open ?? $0 : $0 } }
  }
}
