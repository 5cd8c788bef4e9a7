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

  // By bytes, as databases compare: two spellings of one text (Unicode, NFC and NFD) are two keys.

  public static func == (left: RuleStateKey, right: RuleStateKey) -> Bool {
    left.user == right.user && left.rule.utf8.elementsEqual(right.rule.utf8)
      && left.key.utf8.elementsEqual(right.key.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(user)
    for byte in key.utf8 { hasher.combine(byte) }
  }

  public static func < (left: RuleStateKey, right: RuleStateKey) -> Bool {
    if left.user != right.user { return left.user < right.user }
    if !left.rule.utf8.elementsEqual(right.rule.utf8) {
      return left.rule.utf8.lexicographicallyPrecedes(right.rule.utf8)
    }
    return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
  }

  public var description: String { "\(rule)/\(user.lowercased)/\(key)" }
}
