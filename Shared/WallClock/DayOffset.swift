/// A signed number of days between a date and another, at most ten years (3660 days) either way.
public struct DayOffset: Hashable, Comparable, Sendable {
  public let days: Int

  public static let bounds = -3_660...3_660

  /// Nil outside ``bounds``.
  public init?(days: Int) {
    guard Self.bounds.contains(days) else { return nil }
    self.days = days
  }

  public static func < (left: DayOffset, right: DayOffset) -> Bool { left.days < right.days }
}

/// The part of ISO 8601 durations that is whole days, with the sign of ISO 8601-2 (RFC 5545 `dur-value` has it too).
extension DayOffset: LosslessStringConvertible {
  /// Reads `P1D`, `-P7D`, `P0D` and weeks, `P2W`; nil for anything else, also for a mixture of units.
  public init?(_ text: String) {
    var rest = Array(text.utf8.prefix(8))[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), let unit = rest.popLast(), rest.count <= 4,
      let amount = decimal(rest)
    else { return nil }
    switch unit {
    case UInt8(ascii: "D"): self.init(days: isNegative ? -amount : amount)
    case UInt8(ascii: "W"): self.init(days: isNegative ? -amount * 7 : amount * 7)
    default: return nil
    }
  }

  /// `-P7D`.
  public var description: String { "\(days < 0 ? "-" : "")P\(abs(days))D" }
}

extension LocalDate {
  /// The date an offset away from this one, e.g. of a reminder `-P7D` before what is due; it stops at the calendar's
  /// ends.
  public static func + (date: LocalDate, offset: DayOffset) -> LocalDate { date.adding(days: offset.days) }
}
