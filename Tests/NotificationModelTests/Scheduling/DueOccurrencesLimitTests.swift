import Foundation
import NotificationModel
import Recurrence
import Testing
import WallClock

/// Schedules whose rules cost more than one search may.
@Suite struct DueOccurrencesLimitTests {
  private static let request = Result {
    try FieldReader.read(SendRequest.self, from: Array(#"{"to":{"group":"g"},"type":12}"#.utf8))
  }

  private func schedule(_ rule: String, from start: String, zone: Zone? = .utc) throws -> Schedule {
    let timing = ScheduleTiming.recurring(
      try RecurrenceRule(rule),
      start: try #require(LocalDate(start)),
      time: try #require(LocalTime("09:00")),
      lateness: 6 * 3_600
    )
    return Schedule(request: try Self.request.get(), timing: timing, zone: zone)
  }

  /// Searches as a router does, each time when the last search asked for it, from an instant on.
  private struct Life {
    var now: Date
    var done: Date
    var plan: RecurrencePlan?
    var searches = 0
    var found: [String] = []

    init(at now: Date) { (self.now, done) = (now, now) }

    /// One search; false once nothing comes any more.
    mutating func search(_ schedule: Schedule, zones: Set<String> = []) throws -> Bool {
      let due = DueOccurrences(schedule, zones: zones, home: .utc, plan: plan, after: done, now: now)
      #expect(due.examined <= DueOccurrences.maximumDays)
      searches += 1
      found += due.runs.map { "\($0.occurrence.date)" }
      done = max(done, due.searchedUntil)
      plan = try due.plan.map { try #require(RecurrencePlan(json: $0.json)) }
      #expect(plan == due.plan)
      guard let next = due.next else { return false }
      #expect(next > now)
      now = next
      return true
    }
  }

  private let begin = Date(timeIntervalSince1970: 1_795_500_000)  // 2026-11-24T06:00:00Z

  @Test func `a COUNT that nobody has counted is counted over several searches, and ends on its date`() throws {
    // 20,783 days from the start until 2026-11-26, which is the last date.
    let schedule = try schedule("FREQ=DAILY;COUNT=20784", from: "1970-01-01")
    var life = Life(at: begin)
    while life.found.isEmpty { #expect(try life.search(schedule)) }
    #expect(life.searches <= 13)
    while try life.search(schedule) { #expect(life.searches < 30) }
    #expect(life.found == ["2026-11-24", "2026-11-25", "2026-11-26"])
    #expect(life.plan?.last == LocalDate("2026-11-26"))
  }

  @Test func `a dear rule that was stored before there were limits goes on`() throws {
    let weekdays = (1...53).flatMap { number in ["MO", "TU", "WE"].map { "\(number)\($0)" } }.joined(separator: ",")
    let schedule = try schedule("FREQ=YEARLY;COUNT=1000000;BYMONTHDAY=30,31;BYDAY=\(weekdays)", from: "1980-01-01")
    var life = Life(at: begin)
    while life.found.count < 3 {
      #expect(try life.search(schedule))
      #expect(life.searches < 40)
    }
    #expect(life.found == ["2026-11-30", "2026-12-30", "2027-03-30"])
  }

  @Test func `a date that is far away is looked for second by second, and then waited for`() throws {
    // On a 53rd Sunday that is the last of a month: ten years after the start.
    let schedule = try schedule("FREQ=YEARLY;BYMONTHDAY=31;BYDAY=53SU", from: "2091-01-01", zone: nil)
    let zones: Set = ["Europe/Berlin", ""]
    var life = Life(at: begin)
    while life.now < begin + 60 { #expect(try life.search(schedule, zones: zones)) }
    #expect(life.searches == 3)
    while life.found.count < 2 {
      #expect(try life.search(schedule, zones: zones))
      #expect(life.searches < 20)
    }
    #expect(life.found == ["2102-12-31", "2102-12-31"])
  }

  @Test func `what is known of another rule, or of the same from another day, counts for nothing`() throws {
    let schedule = try schedule("FREQ=DAILY;COUNT=9", from: "2026-11-20")
    let other = try RecurrenceRule("FREQ=DAILY;COUNT=3")
    let start = try #require(LocalDate("2026-11-20"))
    var life = Life(at: begin)
    life.plan = RecurrencePlan(rule: other.description, start: start, last: LocalDate("2026-11-22"))
    while try life.search(schedule) {}
    #expect(life.found.count == 5)
    life = Life(at: begin)
    life.plan = RecurrencePlan(rule: "FREQ=DAILY;COUNT=9", start: start, last: LocalDate("2026-11-25"))
    while try life.search(schedule) {}
    #expect(life.found == ["2026-11-24", "2026-11-25"])
  }

  @Test func `what comes next is listed as far as may be examined, and whether that is all`() throws {
    let after = begin
    let daily = try schedule("FREQ=DAILY;COUNT=20784", from: "1970-01-01")
    let unknown = daily.next(5, after: after, in: .utc)
    #expect(unknown.instants.isEmpty && !unknown.isComplete && unknown.examined <= DueOccurrences.maximumDays)
    let start = try #require(LocalDate("1970-01-01"))
    let plan = RecurrencePlan(rule: "FREQ=DAILY;COUNT=20784", start: start, last: LocalDate("2026-11-26"))
    let known = daily.next(5, after: after, in: .utc, plan: plan)
    #expect(known.instants.count == 3 && known.isComplete)
    let rare = try schedule("FREQ=DAILY;INTERVAL=1000", from: "2026-11-24").next(5, after: after, in: .utc)
    #expect(rare.instants.count == 2 && !rare.isComplete)
    #expect(try schedule("FREQ=DAILY", from: "2026-11-24").next(5, after: after, in: .utc).isComplete)
  }
}
