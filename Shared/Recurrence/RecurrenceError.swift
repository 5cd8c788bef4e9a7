/// What is wrong with a recurrence rule, in words for its sender.
public struct RecurrenceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rule part, e.g. `BYDAY`; empty for the rule as a whole.
  public let part: String
  /// E.g. `is not supported`.
  public let reason: String

  public init(_ part: String, _ reason: String) {
    self.part = part
    self.reason = reason
  }

  /// `BYSETPOS is not supported`.
  public var description: String { part.isEmpty ? "The rule \(reason)" : "\(part) \(reason)" }
}
