/// A value of BYDAY (RFC 5545 `weekdaynum`): each Monday, or the second or the last one of the month or year.
public struct OrdinalWeekday: Sendable, Hashable, Comparable {
  /// 1 is the first in the month or year, -1 the last; nil is each.
  public let ordinal: Int?
  /// Monday is 1, Sunday is 7.
  public let weekday: Int

  static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  public static func < (left: OrdinalWeekday, right: OrdinalWeekday) -> Bool {
    (left.ordinal ?? 0, left.weekday) < (right.ordinal ?? 0, right.weekday)
  }
}

extension OrdinalWeekday: LosslessStringConvertible {
  /// Reads `MO`, `2MO`, `+2MO`, `-1MO`; nil for anything else, and for an ordinal of 0 or beyond 53.
  public init?(_ text: String) {
    guard text.utf8.count <= 5, let weekday = Self.codes.firstIndex(of: String(text.suffix(2))) else { return nil }
    self.weekday = weekday + 1
    let digits = text.dropLast(2)
    if digits.isEmpty {
      ordinal = nil
    } else {
      guard let number = signedNumber(digits), number != 0, abs(number) <= 53 else { return nil }
      ordinal = number
    }
  }

  /// `2MO`.
  public var description: String { (ordinal.map(String.init) ?? "") + Self.codes[weekday - 1] }
}
