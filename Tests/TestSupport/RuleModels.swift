package import Foundation

/// What happened in a random sequence, as plain values.
package struct Happening: Equatable, Sendable {
  package var id: String
  package var intake: Date
  package var occurredAt: Date
  package var value = 0
  package var previous: Int?
  /// Days from the happening's own day; nil cancels.
  package var due: Date?

  /// Something new, or again what has happened before.
  ///
  /// - Parameter pace: Of the time between happenings, in hours.
  package static func random(
    _ step: Int,
    _ now: Date,
    pace: Double,
    after past: [Happening],
    _ random: inout SplitMix64
  ) -> Happening {
    if Int.random(in: 0..<4, using: &random) == 0, let again = past.suffix(12).randomElement(using: &random) {
      return again
    }
    let late = Int.random(in: 0..<3, using: &random) == 0
    let age = late ? (Double.random(in: 0...pace * 3, using: &random) * 3_600).rounded() : 0
    var happening = Happening(id: "e\(step)", intake: now, occurredAt: now - age)
    // The same instant as another's.
    if Int.random(in: 0..<8, using: &random) == 0, let other = past.last, other.occurredAt <= now {
      happening.occurredAt = other.occurredAt
    }
    happening.value = Int.random(in: 0...Int.random(in: 1...120, using: &random), using: &random)
    if Bool.random(using: &random) { happening.previous = Int.random(in: 0...100, using: &random) }
    if Int.random(in: 0..<5, using: &random) > 0 {
      // Days, and now and then the same ones.
      happening.due = day(now, plus: Int.random(in: -1...9, using: &random))
      if let other = past.last?.due, Bool.random(using: &random) { happening.due = other }
    }
    return happening
  }

  /// The members of an event's payload, in JSON.
  package var payload: String {
    var payload = "\"k\":\"g\",\"v\":\(value)"
    if let previous { payload += ",\"p\":\"\(previous).0\"" }
    guard let due else { return payload + ",\"off\":true" }
    return payload + ",\"date\":\"\(dayText(due))\",\"instant\":\"\(due.formatted(.iso8601))\""
  }

  static func < (left: Happening, right: Happening) -> Bool {
    (left.occurredAt, left.intake, left.id) < (right.occurredAt, right.intake, right.id)
  }
}

/// A rule written down a second time, with lists and loops in the place of compact state, and Foundation's calendar.
package protocol RuleModel {
  /// When what was notified, by key and what.
  var notified: [String: Date] { get }
  mutating func take(_ happening: Happening)
  mutating func passTime(to now: Date)
}

let wall: Calendar = {
  var calendar = Calendar(identifier: .iso8601)
  calendar.timeZone = TimeZone(identifier: "Europe/Berlin")!
  return calendar
}()

func dayText(_ date: Date) -> String {
  let parts = wall.dateComponents([.year, .month, .day], from: date)
  return String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!)
}

func day(_ date: Date, plus days: Int, hour: Int = 0) -> Date {
  let start = wall.date(byAdding: .day, value: days, to: wall.startOfDay(for: date))!
  return wall.date(bySettingHour: hour, minute: 0, second: 0, of: start)!
}

package struct CrossingModel: RuleModel {
  package var notified: [String: Date] = [:]
  private var seen: [Happening] = []

  package init() {}

  package mutating func take(_ happening: Happening) {
    guard !seen.contains(where: { $0.id == happening.id }) else { return }
    let latest = seen.max { $0 < $1 }
    seen.append(happening)
    let isLatest = latest.map { $0 < happening } ?? true
    guard let previous = happening.previous ?? (isLatest ? latest?.value : nil) else { return }
    if previous >= 50, happening.value < 50 { notified["/event:\(happening.id)"] = happening.intake }
  }

  package mutating func passTime(to now: Date) {}
}

package struct ReachingModel: RuleModel {
  package var notified: [String: Date] = [:]
  private var passed = 0

  package init() {}

  package mutating func take(_ happening: Happening) {
    for value in [25, 50, 75, 100].reversed() where value <= happening.value {
      if value > passed { notified["g/reached:\(value)"] = happening.intake }
      passed = max(passed, value)
    }
  }

  package mutating func passTime(to now: Date) {}
}

package struct StreakModel: RuleModel {
  package var notified: [String: Date] = [:]
  private var days: Set<Date> = []
  private var best = 0

  package init() {}

  package mutating func take(_ happening: Happening) {
    let today = wall.startOfDay(for: happening.occurredAt)
    days.insert(today)
    var length = 1
    while days.contains(day(today, plus: -length)) { length += 1 }
    var later = 1
    while days.contains(day(today, plus: later)) { later += 1 }
    length += later - 1
    guard let reached = [7, 5, 3].first(where: { $0 <= length }), reached > best else { return }
    best = reached
    notified["/reached:\(reached)"] = happening.intake
  }

  package mutating func passTime(to now: Date) {}
}

package struct WeeklyModel: RuleModel {
  package var notified: [String: Date] = [:]

  package init() {}

  package mutating func take(_ happening: Happening) {
    let week = wall.dateInterval(of: .weekOfYear, for: happening.occurredAt)!
    let key = "@week:\(dayText(week.end.addingTimeInterval(-3_600)))/once"
    if notified[key] == nil { notified[key] = happening.intake }
  }

  package mutating func passTime(to now: Date) {}
}

package struct BudgetModel: RuleModel {
  package var notified: [String: Date] = [:]
  private var seen: [Date: [Happening]] = [:]

  package init() {}

  package mutating func take(_ happening: Happening) {
    seen[wall.startOfDay(for: happening.occurredAt), default: []].append(happening)
  }

  package mutating func passTime(to now: Date) {
    for (start, happenings) in seen {
      let (end, key) = (day(start, plus: 1), "g@day:\(dayText(start))/end")
      guard end <= now, notified[key] == nil, let latest = happenings.max(by: { $0 < $1 }), latest.value > 50 else {
        continue
      }
      notified[key] = max(end, latest.intake)
    }
  }
}

package struct DeadlineModel: RuleModel {
  package var notified: [String: Date] = [:]
  private var handled: Set<String> = []
  private var latest: Happening?
  private var due: Date?
  private var pending: [(what: String, at: Date)] = []

  package init() {}

  package mutating func take(_ happening: Happening) {
    if let latest, !(latest < happening) { return }
    latest = happening
    defer { due = happening.due }
    guard let date = happening.due else {
      pending = []
      return
    }
    guard date != due else { return }
    pending = [-7, -3, -1, 0, 1]
      .map { ("\(dayText(date)):\($0 < 0 ? "-" : "")P\(abs($0))D", day(date, plus: $0, hour: 9)) }
      .filter { $0.at > happening.intake && !handled.contains($0.what) }
  }

  package mutating func passTime(to now: Date) {
    let ripe = pending.filter { $0.at <= now }
    pending.removeAll { $0.at <= now }
    handled.formUnion(ripe.map(\.what))
    guard let last = ripe.max(by: { $0.at < $1.at }), now.timeIntervalSince(last.at) <= 6 * 3_600 else { return }
    notified["g/\(last.what)"] = last.at
  }
}

package struct ExpiryModel: RuleModel {
  package var notified: [String: Date] = [:]
  private let lead: TimeInterval?
  private var handled: Set<Date> = []
  private var latest: Happening?
  private var waiting: Date?

  package init(lead: TimeInterval?) { self.lead = lead }

  package mutating func take(_ happening: Happening) {
    if let latest, !(latest < happening) { return }
    latest = happening
    let before = waiting
    waiting = happening.due
    guard let due = happening.due else { return }
    if handled.contains(due) { waiting = nil }
    if let lead, due - lead <= happening.intake, before != due { waiting = nil }
  }

  package mutating func passTime(to now: Date) {
    guard let due = waiting, let latest, due - (lead ?? 0) <= now else { return }
    waiting = nil
    handled.insert(due)
    if lead != nil, now >= due { return }
    notified["/at:\(Int(due.timeIntervalSince1970) * 1_000)"] = max(due - (lead ?? 0), latest.intake)
  }
}

package struct AbsenceModel: RuleModel {
  package var notified: [String: Date] = [:]
  private var days: Set<Date> = []

  package init() {}

  package mutating func take(_ happening: Happening) { days.insert(wall.startOfDay(for: happening.occurredAt)) }

  package mutating func passTime(to now: Date) {
    guard let last = days.max(), day(last, plus: 3) == wall.startOfDay(for: now) else { return }
    notified["/absent:\(dayText(last))"] = day(now, plus: 0, hour: 10)
  }
}
