import Recurrence
import TestSupport
import Testing
import WallClock

/// Searches that may examine so many days, and are taken up again.
@Suite struct RecurrenceSearchTests {
  /// Comes on the last day of a year alone, and every month is looked at for it.
  private static let dear = "FREQ=YEARLY;COUNT=1000000;BYMONTHDAY=31;BYDAY=53MO,53TU,53WE,53TH,53FR,53SA,53SU"

  /// The dates up to `last`, by as many searches as it takes, and how many days each has examined.
  private func resumed(
    _ rule: RecurrenceRule,
    _ start: LocalDate,
    to last: LocalDate,
    _ limit: () -> Int
  ) -> (dates: [LocalDate], examined: [Int]) {
    var (dates, examined): ([LocalDate], [Int]) = ([], [])
    var plan: RecurrencePlan?
    while true {
      let limit = limit()
      var search = RecurrenceSearch(rule, start: start, plan: plan, last: last, limit: limit)
      var step = search.next()
      while case .found(let date) = step {
        dates.append(date)
        step = search.next()
      }
      examined.append(limit - search.limit)
      if step == .ended { return (dates, examined) }
      plan = RecurrencePlan(
        rule: rule.description,
        start: start,
        progress: .init(until: search.until, count: search.count, dates: [])
      )
    }
  }

  @Test func `a search that is taken up again finds what one that is not limited finds`() throws {
    var random = SplitMix64(seed: 20)
    let rules = [
      "FREQ=DAILY;INTERVAL=17", "FREQ=DAILY;BYMONTH=3,5;BYDAY=MO", "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,WE;WKST=TH",
      "FREQ=MONTHLY;INTERVAL=5;BYDAY=-1FR", "FREQ=YEARLY;INTERVAL=3;BYMONTHDAY=-2", "FREQ=MONTHLY;COUNT=40",
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3", "FREQ=WEEKLY;UNTIL=20300101", "FREQ=DAILY;COUNT=700", Self.dear,
    ]
    for rule in rules {
      let start = LocalDate(dayNumber: random.below(20_000))
      let last = start.adding(days: 6_000)
      let rule = try RecurrenceRule(rule)
      let expected = rule.dates(from: start).prefix { $0 <= last }
      let found = resumed(rule, start, to: last) { 31 + random.below(200) }
      #expect(found.dates == Array(expected), "\(rule) from \(start)")
    }
  }

  @Test func `no search examines more days than it may, whatever the rule`() throws {
    let start = try #require(LocalDate("1970-01-01"))
    for rule in [Self.dear, "FREQ=DAILY;COUNT=1000000", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO"] {
      let found = resumed(try RecurrenceRule(rule), start, to: start.adding(days: 40_000)) { 2_000 }
      #expect(found.examined.allSatisfy { $0 <= 2_000 })
      #expect(found.examined.count <= 40_000 / (2_000 - 31) + 1)
    }
  }

  @Test func `a date that is skipped to is not examined for what is before it`() throws {
    let start = try #require(LocalDate("1970-01-01"))
    let date = try #require(LocalDate("2026-11-24"))
    var search = RecurrenceSearch(try RecurrenceRule("FREQ=DAILY"), start: start, limit: 100)
    #expect(search.next() == .found(start))
    search.skip(to: start.adding(days: 3))
    #expect(search.next() == .found(start.adding(days: 3)))
    search.skip(to: date)
    #expect(search.next() == .found(date))
    #expect(100 - search.limit == 31 + 30)
  }

  // MARK: What new rules may ask for

  private let today = LocalDate("2026-11-24")

  @Test(
    arguments: [
      ("FREQ=DAILY;COUNT=10001", "COUNT must be 1 to 10000"),
      ("FREQ=YEARLY;BYDAY=\(RecurrenceSearchTests.weekdays(65))", "BYDAY has 65 values, 64 at most are allowed"),
      ("FREQ=YEARLY;INTERVAL=1000;BYMONTH=1", "The rule has no date in the next hundred years"),
      ("FREQ=YEARLY;INTERVAL=1000;BYMONTH=1;COUNT=3", "The rule has no date in the next hundred years"),
      // There is a 30th, but not of February.
      ("FREQ=MONTHLY;INTERVAL=12;BYMONTH=2", "The rule has no date in the next hundred years"),
      ("FREQ=MONTHLY;INTERVAL=12;BYMONTH=2;COUNT=5", "The rule has no date in the next hundred years"),
    ]
  )
  func `what costs too much, or never comes, is refused of new rules`(_ text: String, _ reason: String) throws {
    let start = try #require(LocalDate("2026-06-30"))
    let rule = try RecurrenceRule(text)
    let error = #expect(throws: RecurrenceError.self) { try rule.plan(from: start, on: try #require(today)) }
    #expect(error?.description == reason)
  }

  @Test(
    arguments: [
      ("FREQ=DAILY", nil), ("FREQ=DAILY;COUNT=10000", "2054-04-10"), ("FREQ=MONTHLY;COUNT=3", "2027-01-24"),
      ("FREQ=YEARLY;BYDAY=\(RecurrenceSearchTests.weekdays(64))", nil), ("FREQ=YEARLY;INTERVAL=99", nil),
      (RecurrenceSearchTests.dear(count: 10_000), "9999-12-31"),
      // They have ended.
      ("FREQ=DAILY;UNTIL=20200101", nil), ("FREQ=YEARLY;INTERVAL=1000;BYMONTH=1;UNTIL=20300101", nil),
    ] as [(String, String?)]
  )
  func `what is taken has the last date of its COUNT`(_ text: String, _ last: String?) throws {
    let start = try #require(today)
    let rule = try RecurrenceRule(text)
    let plan = try rule.plan(from: start, on: start)
    #expect(plan?.last?.description == last)
    #expect(plan?.isOf(rule, from: start) != false)
    #expect(plan?.isOf(rule, from: start.adding(days: 1)) != true)
  }

  static func dear(count: Int) -> String { dear.replacing("1000000", with: "\(count)") }

  static func weekdays(_ count: Int) -> String {
    let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    return (0..<count).map { "\($0 / 7 + 1)\(codes[$0 % 7])" }.joined(separator: ",")
  }
}
