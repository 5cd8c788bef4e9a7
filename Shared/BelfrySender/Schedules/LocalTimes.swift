/// A day as calendars show it, from the year 1970 to 9000: `"2026-11-30"`.
public struct LocalDate: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let description: String

  /// - Parameter text: `yyyy-MM-dd`; what is none is found when it is sent.
  public init(_ text: String) { description = text }

  public init(stringLiteral text: String) { self.init(text) }

  public init(year: Int, month: Int, day: Int) {
    self.init("\(year)-\(twoDigits(month))-\(twoDigits(day))")
  }

  func node(_ field: String, _ checks: inout FieldChecks) -> JSONNode {
    let numbers = numbers(in: description, separator: "-", digits: [[4, 2, 2]])
    if numbers.count != 3 || !(1_970...9_000).contains(numbers[0]) || !(1...12).contains(numbers[1])
      || !(1...31).contains(numbers[2])
    {
      checks.problem(field, "expected a date such as 2026-12-24")
    }
    return .text(description)
  }
}

/// A time of day as clocks on walls show it: `"19:00"` or `"19:00:30"`.
public struct LocalTime: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let description: String

  /// - Parameter text: `HH:mm` or `HH:mm:ss`; what is none is found when it is sent.
  public init(_ text: String) { description = text }

  public init(stringLiteral text: String) { self.init(text) }

  public init(hour: Int, minute: Int = 0) {
    self.init("\(twoDigits(hour)):\(twoDigits(minute))")
  }

  func node(_ field: String, _ checks: inout FieldChecks) -> JSONNode {
    let numbers = numbers(in: description, separator: ":", digits: [[2, 2], [2, 2, 2]])
    if numbers.isEmpty || !(0...23).contains(numbers[0]) || !numbers.dropFirst().allSatisfy({ (0...59).contains($0) }) {
      checks.problem(field, "expected a time such as 19:00")
    }
    return .text(description)
  }
}

private func twoDigits(_ number: Int) -> String { (0...9).contains(number) ? "0\(number)" : "\(number)" }

/// Numbers of so many digits each; none for a text of another form.
private func numbers(in text: String, separator: Character, digits: [[Int]]) -> [Int] {
  let parts = text.split(separator: separator, omittingEmptySubsequences: false)
  guard digits.contains(parts.map(\.utf8.count)),
    parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
  else { return [] }
  return parts.compactMap { Int($0) }
}
