extension Duration {
  /// Reads a number with a unit: `250ms`, `30s`, `10min`, `1h`, `7d`. Nil for anything else.
  public init?(settingText text: String) {
    let trimmed = text.drop { $0 == " " }
    let digits = trimmed.prefix { $0.isNumber }
    guard let amount = Int64(digits), amount <= 1_000_000_000 else { return nil }
    switch trimmed.dropFirst(digits.count).drop(while: { $0 == " " }) {
    case "ms": self = .milliseconds(amount)
    case "s": self = .seconds(amount)
    case "min": self = .seconds(amount * 60)
    case "h": self = .seconds(amount * 3_600)
    case "d": self = .seconds(amount * 86_400)
    default: return nil
    }
  }

  /// The shortest text that reads back as this value, e.g. `10min`.
  public var settingText: String {
    let milliseconds = self / .milliseconds(1)
    let whole = Int64(milliseconds)
    if whole % 1_000 != 0 || whole == 0 { return "\(whole)ms" }
    let seconds = whole / 1_000
    if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
    if seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
    if seconds % 60 == 0 { return "\(seconds / 60)min" }
    return "\(seconds)s"
  }
}

extension ClosedRange<Duration> {
  /// Both bounds, e.g. `1s…10min`.
  var settingText: String { "\(lowerBound.settingText)…\(upperBound.settingText)" }
}
