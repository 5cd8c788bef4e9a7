/// Reads a POSIX TZ string from its beginning: `std offset [dst [offset] , date [/time] , date [/time]]`.
///
/// Grammar: POSIX.1-2024, Base Definitions 8.3. RFC 9636 3.3 leaves out its other form, `:name`, and daylight saving
/// without dates.
struct PosixReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: some Sequence<UInt8>) {
    rest = Array(text)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func timeZone() -> PosixTimeZone? {
    guard skipName(), let standard = offset() else { return nil }
    guard !isAtEnd else { return PosixTimeZone(standard: standard, daylight: nil) }
    guard skipName() else { return nil }
    var daylight = standard + 3_600
    if rest.first != UInt8(ascii: ",") {
      guard let named = offset() else { return nil }
      daylight = named
    }
    guard Zone.offsets.contains(daylight), skip(","), let start = rule(), skip(","), let end = rule() else {
      return nil
    }
    return PosixTimeZone(standard: standard, daylight: .init(offset: daylight, start: start, end: end))
  }

  /// `CEST`, or `<+0330>` with digits and signs. Three characters or more.
  private mutating func skipName() -> Bool {
    let isQuoted = skip("<")
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
      default: false
      }
    }
    rest = rest.dropFirst(name.count)
    return name.count >= 3 && (!isQuoted || skip(">"))
  }

  /// `5`, `-3:30`: hours west of UTC; the result counts east. Nil for what is no zone's offset.
  private mutating func offset() -> Int? {
    time(hours: 0...24).flatMap { Zone.offsets.contains(-$0) ? -$0 : nil }
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  private mutating func time(hours: ClosedRange<Int>) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hour = number(in: hours) else { return nil }
    var seconds = hour * 3_600
    for unit in [60, 1] where skip(":") {
      guard let value = number(in: 0...59) else { return nil }
      seconds += value * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// `J60`, `59` or `M10.5.0`, and maybe `/3`.
  private mutating func rule() -> PosixRule? {
    let day: PosixRule.Day
    if skip("J") {
      guard let number = number(in: 1...365) else { return nil }
      day = .dayWithoutLeapDay(number)
    } else if skip("M") {
      guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."),
        let weekday = number(in: 0...6)
      else { return nil }
      day = .weekday(month: month, week: week, weekday: weekday)
    } else {
      guard let number = number(in: 0...365) else { return nil }
      day = .day(number)
    }
    guard skip("/") else { return PosixRule(day: day, time: PosixRule.standardTime) }
    return time(hours: PosixRule.hours).map { PosixRule(day: day, time: $0) }
  }

  /// One to three digits.
  private mutating func number(in range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.count <= 3, let value = decimal(digits), range.contains(value) else { return nil }
    rest = rest.dropFirst(digits.count)
    return value
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
