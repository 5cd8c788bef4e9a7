import Recurrence
import WallClock

/// A line of dateutil_cases.py: a rule with the dates that python-dateutil finds.
struct DateutilCase: Decodable {
  struct Malformed: Error {}

  let rule: String
  let start: String
  let time: String
  let zone: String?
  let horizon: String
  let dates: [String]
  let after: String
  let next: [String]

  var expected: String { "\(dates.joined(separator: " ")) | \(next.joined(separator: " "))" }

  /// What this package finds, in the form of ``expected``.
  func answer() throws -> String {
    guard let start = LocalDate(start), let time = LocalTime(time), let horizon = LocalDate(horizon),
      let after = LocalDate(after), let zone = Zone(zone ?? "UTC")
    else { throw Malformed() }
    let rule: RecurrenceRule
    do {
      rule = try RecurrenceRule(self.rule)
    } catch {
      // dateutil takes rules that match no date, and finds nothing.
      return error.reason == "matches no date" ? " | " : error.description
    }
    guard try RecurrenceRule(rule.description) == rule else { return "\(rule) reads back as another rule" }
    let found = rule.dates(from: start, at: time, in: zone)
    let dates = found.lazy.prefix { $0 <= horizon }.prefix(10)
    let next = sequence(state: after) { last -> LocalDate? in
      guard let date = found.first(after: last), date <= horizon else { return nil }
      last = date
      return date
    }
    return "\(Self.text(dates)) | \(Self.text(next.prefix(3)))"
  }

  private static func text(_ dates: some Sequence<LocalDate>) -> String {
    dates.map(\.description).joined(separator: " ")
  }
}
