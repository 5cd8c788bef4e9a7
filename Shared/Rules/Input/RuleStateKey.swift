public import Foundation

/// Which of a rule's states: one for each person and key. Ordered as states are to be locked.
public struct RuleStateKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rule: String
  public let user: UUID
  /// At most ``maximumLength`` bytes; where a rule counts periods, the period's end follows: `food@day:2026-11-22`.
  public let key: String

  public static let maximumLength = 256

  public init(rule: String, user: UUID, key: String) {
    self.rule = rule
    self.user = user
    self.key = key
  }

  public static func < (left: RuleStateKey, right: RuleStateKey) -> Bool {
    if left.user != right.user { return left.user < right.user }
    return left.rule == right.rule ? left.key < right.key : left.rule < right.rule
  }

  public var description: String { "\(rule)/\(user.lowercased)/\(key)" }
}
