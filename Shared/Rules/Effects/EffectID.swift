public import Foundation

/// What an effect is, wherever and however often it is worked out: the same thing sent always has the same id.
///
/// Hash ``bytes`` to the 74 bits of a request's id; the id's time is the notice's `at`.
public struct EffectID: Hashable, Sendable, CustomStringConvertible {
  public let rule: String
  /// Nil where the rule is about nobody in particular.
  public let user: UUID?
  public let key: String
  /// What was reached: `reached:75`, `event:<id>`, `once`, `2026-12-01:-P7D`.
  public let what: String
  /// Which of the rule's notices: the type's name, `#2` after it where the rule has a second of that type.
  public let notice: String

  public init(rule: String, user: UUID?, key: String, what: String, notice: String) {
    self.rule = rule
    self.user = user
    self.key = key
    self.what = what
    self.notice = notice
  }

  /// The parts with their lengths before them, so that no two ids have the same bytes. The layout never changes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [1]
    for part in [rule, user?.lowercased ?? "", key, what, notice] {
      let length = UInt32(clamping: part.utf8.count)
      withUnsafeBytes(of: length.bigEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: part.utf8)
    }
    return bytes
  }

  public var description: String {
    [rule, user?.lowercased ?? "-", key, what, notice].joined(separator: "/")
  }
}
