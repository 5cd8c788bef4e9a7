/// A time of day without a zone, to the second: what a clock on a wall shows. 24:00 and leap seconds are no such times.
public struct LocalTime: Hashable, Comparable, Sendable {
  /// Seconds since midnight, 0..<86400.
  public var secondOfDay: Int { Int(storage) }

  private let storage: Int32

  public static let midnight = LocalTime(storage: 0)

  private init(storage: Int32) {
    self.storage = storage
  }

  /// Nil outside 0..<86400.
  public init?(secondOfDay: Int) {
    guard (0..<86_400).contains(secondOfDay) else { return nil }
    storage = Int32(secondOfDay)
  }

  /// Nil for what no clock shows.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
    storage = Int32(hour * 3_600 + minute * 60 + second)
  }

  public var hour: Int { secondOfDay / 3_600 }
  public var minute: Int { secondOfDay / 60 % 60 }
  public var second: Int { secondOfDay % 60 }

  public static func < (left: LocalTime, right: LocalTime) -> Bool { left.storage < right.storage }
}

extension LocalTime: LosslessStringConvertible {
  /// Reads `HH:mm` or `HH:mm:ss` in ASCII digits; nil for anything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8.prefix(9))
    guard bytes.count == 5 || bytes.count == 8, bytes[2] == UInt8(ascii: ":"), let hour = decimal(bytes[0..<2]),
      let minute = decimal(bytes[3..<5])
    else { return nil }
    var second = 0
    if bytes.count == 8 {
      guard bytes[5] == UInt8(ascii: ":"), let seconds = decimal(bytes[6..<8]) else { return nil }
      second = seconds
    }
    self.init(hour: hour, minute: minute, second: second)
  }

  /// `HH:mm:ss`.
  public var description: String { "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }
}
