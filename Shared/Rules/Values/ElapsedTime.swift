/// A length of time in whole seconds, at most 31 days: how long before something a reminder is sent.
public struct ElapsedTime: Hashable, Comparable, Sendable {
  public let seconds: Int

  public static let zero = ElapsedTime(unchecked: 0)
  static let maximum = 31 * 86_400

  private init(unchecked seconds: Int) {
    self.seconds = seconds
  }

  /// Nil below zero and above 31 days.
  public init?(seconds: Int) {
    guard (0...Self.maximum).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  public static func < (left: ElapsedTime, right: ElapsedTime) -> Bool { left.seconds < right.seconds }
}

/// ISO 8601 durations of days (24 hours), hours, minutes and seconds.
extension ElapsedTime: LosslessStringConvertible {
  /// Reads `PT30M`, `P1DT12H` and the like; nil for anything else, also for fractions, signs, weeks, months and years.
  public init?(_ text: String) {
    var units: [(mark: UInt8, seconds: Int)] = [(UInt8(ascii: "D"), 86_400)]
    var (total, number, isEmpty, hasTime) = (0, Int?.none, true, false)
    let bytes = Array(text.utf8.prefix(33))
    guard bytes.count <= 32, bytes.first == UInt8(ascii: "P") else { return nil }
    for byte in bytes.dropFirst() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = min((number ?? 0) * 10 + Int(byte - UInt8(ascii: "0")), Self.maximum + 1)
      case UInt8(ascii: "T"):
        guard number == nil, !hasTime else { return nil }
        hasTime = true
        isEmpty = true
        units = [(UInt8(ascii: "H"), 3_600), (UInt8(ascii: "M"), 60), (UInt8(ascii: "S"), 1)]
      default:
        guard let amount = number, let place = units.firstIndex(where: { $0.mark == byte }) else { return nil }
        total += amount * units[place].seconds
        // Units come in their order, each once.
        units.removeSubrange(...place)
        (number, isEmpty) = (nil, false)
      }
    }
    guard number == nil, !isEmpty else { return nil }
    self.init(seconds: total)
  }

  /// `PT30M`, in the largest whole unit.
  public var description: String {
    if seconds > 0, seconds % 86_400 == 0 { return "P\(seconds / 86_400)D" }
    if seconds > 0, seconds % 3_600 == 0 { return "PT\(seconds / 3_600)H" }
    return seconds % 60 == 0 ? "PT\(seconds / 60)M" : "PT\(seconds)S"
  }
}
