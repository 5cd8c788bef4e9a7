import BelfryJSON
public import Recurrence
import WallClock

/// As it is stored beside a schedule.
extension RecurrencePlan {
  public var json: String {
    let dates = progress.map { JSONValue.array($0.dates.map { .string("\($0)") }) } ?? .null
    return JSONWriter.text(
      .object([
        JSONMember("rule", rule),
        JSONMember("start", "\(start)"),
        JSONMember("last", last.map { "\($0)" }),
        JSONMember("until", progress.map { "\($0.until)" }),
        JSONMember("count", progress?.count),
        JSONMember("dates", dates),
      ])
    )
  }

  /// Nil for what ``json`` did not write: then there is no plan, and one is made anew.
  public init?(json text: String) {
    let json: JSONValue
    do {
      json = try JSONParser.parse(Array(text.utf8))
    } catch {
      return nil
    }
    func date(_ name: String) -> LocalDate? { json[name]?.string.flatMap { LocalDate($0) } }
    guard let rule = json["rule"]?.string, let start = date("start") else { return nil }
    var progress: Progress?
    if let until = date("until"), let count = json["count"]?.integer {
      let dates = (json["dates"]?.array ?? []).compactMap { $0.string.flatMap { LocalDate($0) } }
      progress = Progress(until: until, count: count, dates: dates)
    }
    self.init(rule: rule, start: start, last: date("last"), progress: progress)
  }
}
