/// ISO 8601 extended format, which is RFC 3339's `full-date`.
extension LocalDate: LosslessStringConvertible {
  /// Reads `2026-11-22`: four, two and two ASCII digits, and a date that exists. Nil for anything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8.prefix(11))
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = decimal(bytes[0..<4]), let month = decimal(bytes[5..<7]), let day = decimal(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// `2026-11-22`.
  public var description: String {
    let (year, month, day) = civil
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
