import Foundation
import Rules
import Testing
import WallClock

/// Rules with timers and daily scans.
@Suite struct TimingTests {
  static let overBudget = """
    name: over, on: S, user: "{{userId}}", key: "{{category}}:{{period}}", 
    let: { excess: { minus: [spent, budget] }, percent: { percentOf: [excess, budget] } },
    when: { value: spent, exceeds: budget, evaluate: endOfPeriod }, notify: OverBudget
    """

  private func spent(_ amount: Int, _ period: String, id: String, _ occurred: Date, at: Date? = nil) throws -> RuleEvent
  {
    let payload = "\"category\":\"food\",\"period\":\"\(period)\",\"spent\":\(amount),\"budget\":100"
    return try Fixture.event("S", payload, id: id, at: at ?? occurred, occurredAt: occurred)
  }

  @Test(arguments: [("day", "2026-11-23"), ("week", "2026-11-23"), ("month", "2026-12-01")])
  func `a budget is evaluated when the person's period has ended, by the latest value`(_ period: String, _ end: String)
    throws
  {
    var bench = try Bench(Self.overBudget)
    let end = Fixture.instant(end, "00:00")
    try bench.take(spent(120, period, id: "a", Fixture.noon))
    #expect(try bench.take(spent(90, period, id: "b", Fixture.noon + 60)).code == "notExceeded")
    // Late, and older than what is known.
    #expect(try bench.take(spent(150, period, id: "c", Fixture.noon + 30, at: Fixture.noon + 90)).code == "outdated")
    try bench.passTime(to: end + 1)
    #expect(bench.notified.isEmpty)
    // Late, but the latest.
    try bench.take(spent(130, period, id: "d", Fixture.noon + 120, at: end + 600))
    try bench.passTime(to: end + 601)
    try bench.take(spent(140, period, id: "e", Fixture.noon + 180, at: end + 700))
    try bench.passTime(to: end + 701)
    #expect(bench.what == ["end"])
    #expect(bench.notified[0].at == end + 600)
    #expect(bench.notified[0].data["excess"] == RuleText("30"))
    #expect(bench.notified[0].data["percent"] == RuleText("30"))
  }

  @Test func `each period is evaluated for itself, on time`() throws {
    var bench = try Bench(Self.overBudget)
    try bench.take(spent(101, "day", id: "a", Fixture.noon))
    try bench.take(spent(102, "day", id: "b", Fixture.noon + 86_400))
    try bench.passTime(to: Fixture.noon + 3 * 86_400)
    #expect(bench.notified.map(\.id.key) == ["food:day@day:2026-11-22", "food:day@day:2026-11-23"])
    #expect(
      bench.notified.map(\.at) == [Fixture.instant("2026-11-23", "00:00"), Fixture.instant("2026-11-24", "00:00")]
    )
    #expect(bench.states.values.allSatisfy { !$0.json.contains("kept") && $0.json.contains("until") })
  }

  static let deadline = """
    name: deadline, on: G, user: "{{userId}}", key: "{{goalId}}", unless: completed,
    remind: { due: "{{targetDate}}", time: "09:00", offsets: [P1D, -P3D, P0D, -P7D, -P1D] },
    notify: { P1D: SavingsGoalMissed, else: SavingsGoalDeadline }
    """

  private func goal(_ fields: String, id: String, _ time: Date = Fixture.noon) throws -> RuleEvent {
    try Fixture.event("G", "\"goalId\":\"g\",\(fields)", id: id, at: time)
  }

  @Test func `reminders come at the person's own time, those before the announcement never`() throws {
    var bench = try Bench(Self.deadline)
    let outcome = try bench.take(goal("\"targetDate\":\"2026-11-26\"", id: "a"))
    #expect(outcome == .scheduled(what: "2026-11-26:-P3D", at: Fixture.instant("2026-11-23", "09:00")))
    for day in 23...28 { try bench.passTime(to: Fixture.instant("2026-11-\(day)", "09:00")) }
    #expect(bench.notified.map { $0.data["days"]!.unformatted } == ["3", "1", "0", "-1"])
    #expect(bench.notified.map(\.type).last == "SavingsGoalMissed")
    #expect(bench.notified[1].at == Fixture.instant("2026-11-25", "09:00"))
    #expect(bench.notified[1].data["due"] == RuleText("2026-11-26"))
  }

  @Test func `a new date moves reminders, what is completed cancels them, and what was sent stays sent`() throws {
    var bench = try Bench(Self.deadline)
    try bench.take(goal("\"targetDate\":\"2026-11-26\"", id: "a"))
    try bench.passTime(to: Fixture.instant("2026-11-23", "09:00"))
    try bench.take(goal("\"targetDate\":\"2026-12-26\"", id: "b", Fixture.instant("2026-11-23", "10:00")))
    try bench.passTime(to: Fixture.instant("2026-11-24", "08:00"))
    #expect(try bench.take(goal("\"goalName\":\"Bike\"", id: "c", Fixture.noon + 1)).code == "nothingToCompare")
    // An old message comes late: it says nothing any more.
    #expect(try bench.take(goal("\"targetDate\":\"2026-11-27\"", id: "d", Fixture.noon + 2)).code == "outdated")
    try bench.take(goal("\"targetDate\":\"2026-11-26\"", id: "e", Fixture.instant("2026-11-24", "08:00")))
    try bench.passTime(to: Fixture.instant("2026-11-25", "09:00"))
    try bench.take(
      goal("\"targetDate\":\"2026-11-26\",\"completed\":true", id: "f", Fixture.instant("2026-11-25", "10:00"))
    )
    try bench.passTime(to: Fixture.instant("2027-01-25", "09:00"))
    #expect(bench.what == ["2026-11-26:-P3D", "2026-11-26:-P1D"])
    #expect(try bench.take(goal("\"targetDate\":null", id: "g", Fixture.noon + 9_999_999)) == .cancelled)
  }

  @Test func `after a standstill only the last reminder is sent, and none that is six hours late`() throws {
    var bench = try Bench(Self.deadline)
    try bench.take(goal("\"targetDate\":\"2026-11-26\"", id: "a"))
    try bench.passTime(to: Fixture.instant("2026-11-25", "14:59"))
    #expect(bench.what == ["2026-11-26:-P1D"])
    try bench.passTime(to: Fixture.instant("2026-11-26", "15:01"))
    try bench.passTime(to: Fixture.instant("2026-11-27", "09:00"))
    #expect(bench.what == ["2026-11-26:-P1D", "2026-11-26:P1D"])
  }

  @Test func `another zone moves what waits and repeats nothing`() throws {
    var bench = try Bench(Self.deadline)
    try bench.take(goal("\"targetDate\":\"2026-11-26\"", id: "a"))
    try bench.passTime(to: Fixture.instant("2026-11-23", "09:00"))
    bench.settings.zone = Zone("America/New_York")!
    let key = bench.states.keys.first!
    let next = Fixture.instant("2026-11-25", "09:00", "America/New_York")
    #expect(try bench.take(.settingsChanged, key: key) == .scheduled(what: "2026-11-26:-P1D", at: next))
    try bench.passTime(to: next)
    #expect(bench.what == ["2026-11-26:-P3D", "2026-11-26:-P1D"])
  }

  static let reminder = """
    name: soon, on: CheckedIn, user: "{{userId}}", notify: CheckInReminder,
    remind: { at: "{{expiresAt}}", before: { value: remindBefore, else: PT30M } }
    """
  static let expired = """
    name: expired, on: CheckedIn, user: "{{userId}}", remind: { at: "{{expiresAt}}" },
    notify: [ CheckInExpired, { type: ContactCheckInExpired, to: "{{contactIds}}" } ]
    """

  private func checkIn(_ minutes: Int, id: String, _ time: Date, more: String = "") throws -> RuleEvent {
    let expiry = (time + Double(minutes) * 60).formatted(.iso8601)
    let payload = "\"expiresAt\":\"\(expiry)\",\"contactIds\":[\"\(Fixture.ben.uuidString)\"]\(more)"
    return try Fixture.event("CheckedIn", payload, id: id, at: time)
  }

  @Test func `a check-in is reminded of and expires; a new one moves both`() throws {
    var (soon, expired) = (try Bench(Self.reminder), try Bench(Self.expired))
    for (id, minutes, time) in [("a", 60, 0.0), ("b", 120, 1_700)] {
      let event = try checkIn(minutes, id: id, Fixture.noon + time)
      try soon.take(event)
      try expired.take(event)
    }
    for minute in 0..<200 {
      try soon.passTime(to: Fixture.noon + Double(minute) * 60)
      try expired.passTime(to: Fixture.noon + Double(minute) * 60)
    }
    #expect(soon.notified.map(\.at) == [Fixture.noon + 1_700 + 5_400])
    #expect(expired.notified.map(\.at) == Array(repeating: Fixture.noon + 1_700 + 7_200, count: 2))
    #expect(expired.notified.map(\.audience) == [.users([Fixture.mia]), .users([Fixture.ben])])
  }

  @Test func `an expiry is announced however late, a reminder of it only before`() throws {
    var (soon, expired) = (try Bench(Self.reminder), try Bench(Self.expired))
    let event = try checkIn(60, id: "a", Fixture.noon)
    try soon.take(event)
    try expired.take(event)
    try soon.passTime(to: Fixture.noon + 86_400 * 3)
    try expired.passTime(to: Fixture.noon + 86_400 * 3)
    #expect(soon.notified.isEmpty)
    #expect(expired.notified.count == 2)
    let short = try checkIn(20, id: "b", Fixture.noon + 7_200)
    #expect(try soon.take(short) == .nothingAhead)
    let own = try checkIn(20, id: "c", Fixture.noon + 7_300, more: ",\"remindBefore\":\"PT5M\"")
    #expect(try soon.take(own).code == "scheduled")
    let wrong = try checkIn(20, id: "d", Fixture.noon + 7_400, more: ",\"remindBefore\":300")
    #expect(try soon.take(wrong).code == "refused")
  }

  @Test func `absence is announced once, exactly so many days after the last`() throws {
    var bench = try Bench("name: miss, absent: AppOpened, for: P3D, time: \"10:00\", notify: MissYou")
    try bench.take(Fixture.event("AppOpened", "\"x\":1", id: "a"))
    #expect(try bench.take(Fixture.event("AppOpened", "\"x\":1", id: "b", at: Fixture.noon + 60)) == .unchanged)
    let key = bench.states.keys.first!
    for day in 23...30 {
      try bench.take(.absent(today: LocalDate("2026-11-\(day)")!), key: key)
      try bench.take(.absent(today: LocalDate("2026-11-\(day)")!), key: key)
    }
    #expect(bench.what == ["absent:2026-11-22"])
    #expect(bench.notified[0].at == Fixture.instant("2026-11-25", "10:00"))
    #expect(bench.notified[0].data["days"] == RuleText("3"))
  }
}
