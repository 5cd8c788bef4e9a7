/// Why an event cannot be evaluated by a rule: what its sender has to fix.
public struct RuleRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Path within the event, e.g. `payload.newBalance`.
  public let field: String
  public let problem: String

  init(_ field: String, _ problem: String) {
    self.field = field
    self.problem = problem
  }

  init(payload path: PayloadPath, _ problem: String) {
    self.init("payload.\(path)", problem)
  }

  public var description: String { "\(field): \(problem)" }
}
