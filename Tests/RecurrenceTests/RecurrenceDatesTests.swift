import Foundation
import Recurrence
import TestSupport
import Testing
import WallClock

@Suite struct RecurrenceDatesTests {
  private func dates(_ rule: String, _ start: String) throws -> RecurrenceDates {
    try RecurrenceRule(rule).dates(from: try #require(LocalDate(start)))
  }

  @Test(
    arguments: [
      ("FREQ=DAILY;INTERVAL=10", "2026-02-20", "2026-02-20 2026-03-02 2026-03-12"),
      ("FREQ=MONTHLY", "2026-01-31", "2026-01-31 2026-03-31 2026-05-31"),
      ("FREQ=MONTHLY;BYMONTHDAY=-1", "2027-12-05", "2027-12-31 2028-01-31 2028-02-29"),
      ("FREQ=YEARLY", "2024-02-29", "2024-02-29 2028-02-29 2032-02-29"),
      ("FREQ=YEARLY", "1896-02-29", "1896-02-29 1904-02-29 1908-02-29"),
      ("FREQ=YEARLY;INTERVAL=100", "2000-02-29", "2000-02-29 2400-02-29 2800-02-29"),
      // The start counts only if it matches.
      ("FREQ=WEEKLY;BYDAY=MO;COUNT=2", "2026-11-24", "2026-11-30 2026-12-07"),
      // RFC 5545's example of what WKST changes.
      (
        "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05",
        "1997-08-05 1997-08-10 1997-08-19 1997-08-24"
      ),
      (
        "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05",
        "1997-08-05 1997-08-17 1997-08-19 1997-08-31"
      ),
      // And others of its examples.
      ("FREQ=MONTHLY;BYDAY=-2MO", "1997-09-22", "1997-09-22 1997-10-20 1997-11-17"),
      ("FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28", "1997-09-28 1997-10-29 1997-11-28"),
      ("FREQ=YEARLY;BYDAY=20MO", "1997-05-19", "1997-05-19 1998-05-18 1999-05-17"),
      ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1997-09-02", "1998-02-13 1998-03-13 1998-11-13"),
      (
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996-11-05",
        "1996-11-05 2000-11-07 2004-11-02"
      ),
      ("FREQ=YEARLY;BYMONTH=1;BYDAY=MO", "1998-01-01", "1998-01-05 1998-01-12 1998-01-19"),
      // Ordinals count in the month where there is BYMONTH, else in the year.
      ("FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "2026-01-01", "2026-03-29 2026-10-25 2027-03-28"),
      ("FREQ=YEARLY;BYDAY=-1SU", "2026-01-01", "2026-12-27 2027-12-26 2028-12-31"),
      ("FREQ=YEARLY;BYDAY=53TH", "2026-01-01", "2026-12-31 2032-12-30 2037-12-31"),
      ("FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR", "2026-01-01", "2026-02-13 2026-03-13 2026-11-13"),
      ("FREQ=MONTHLY;BYDAY=MO,1TU;BYMONTH=9", "2026-09-08", "2026-09-14 2026-09-21 2026-09-28"),
      ("FREQ=MONTHLY;BYDAY=5MO", "2026-01-01", "2026-03-30 2026-06-29 2026-08-31"),
      ("FREQ=DAILY;UNTIL=20261123", "2026-11-22", "2026-11-22 2026-11-23"),
      ("FREQ=DAILY;UNTIL=20261121", "2026-11-22", ""),
      ("FREQ=DAILY", "9999-12-30", "9999-12-30 9999-12-31"),
    ]
  )
  func `a rule has its dates`(_ rule: String, _ start: String, _ expected: String) throws {
    #expect(
      try dates(rule, start).prefix(3 + (expected.count > 32 ? 1 : 0)).map(\.description).joined(separator: " ")
        == expected
    )
  }

  @Test(
    arguments: [
      // In no month or year of these is there such a date, but only the start shows it.
      ("FREQ=YEARLY;BYMONTH=2", "2026-01-30"), ("FREQ=MONTHLY;INTERVAL=12", "2026-02-28"),
      ("FREQ=DAILY;INTERVAL=7;BYDAY=MO", "2026-11-24"),
      ("FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "2026-01-01"),
      ("FREQ=DAILY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29", "2026-01-01"),
      ("FREQ=WEEKLY;INTERVAL=1000;BYMONTH=1", "2026-05-01"),
    ]
  )
  func `a search ends`(_ rule: String, _ start: String) throws {
    let dates = try dates(rule, start)
    let took = ContinuousClock().measure { _ = dates.first(after: .first) }
    #expect(took < .seconds(2))
    if rule.contains("INTERVAL=7") || rule.contains("INTERVAL=4") || !rule.contains("INTERVAL") {
      #expect(dates.first(after: .first) == nil)
    }
  }

  @Test func `far from the start a date is found at once`() throws {
    let dates = try dates("FREQ=DAILY;INTERVAL=3", "0001-01-01")
    let date = try #require(LocalDate("9990-01-01"))
    let took = try ContinuousClock().measure {
      for _ in 0..<100 { _ = try #require(dates.first(after: date)) }
    }
    #expect(took < .seconds(1))
    #expect(dates.first(after: .last) == nil)
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "09:00", "20261122T080000Z", "2026-11-22"),
      ("Europe/Berlin", "09:00", "20261122T075959Z", "2026-11-21"),
      ("Pacific/Apia", "00:30", "20261122T120000Z", "2026-11-23"),
      ("Pacific/Apia", "01:30", "20261122T120000Z", "2026-11-22"),
      ("Pacific/Pago_Pago", "20:00", "20261122T070000Z", "2026-11-21"),
    ]
  )
  func `an end with a time is compared with the instant of each date`(
    _ zone: String,
    _ time: String,
    _ until: String,
    _ expected: String
  ) throws {
    let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=\(until)")
    let (start, time) = (try #require(LocalDate("2026-11-10")), try #require(LocalTime(time)))
    let dates = Array(rule.dates(from: start, at: time, in: try #require(Zone(zone))))
    #expect(dates.last?.description == expected)
  }

  @Test func `dates found from anywhere are those found one after the other`() throws {
    var random = SplitMix64(seed: 20_261_122)
    let rules = [
      "FREQ=DAILY;INTERVAL=17", "FREQ=DAILY;BYMONTH=3,5;BYDAY=MO", "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,WE;WKST=TH",
      "FREQ=MONTHLY;INTERVAL=5;BYDAY=-1FR", "FREQ=YEARLY;INTERVAL=3;BYMONTHDAY=-2", "FREQ=MONTHLY;COUNT=40",
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=9", "FREQ=WEEKLY;UNTIL=20300101", "FREQ=DAILY;COUNT=700",
    ]
    for rule in rules {
      let start = LocalDate(dayNumber: random.below(20_000))
      let found = try RecurrenceRule(rule).dates(from: start)
      let all = Array(found.prefix(1_500))
      let limit = all.count < 1_500 ? LocalDate.last : all[all.count - 1].adding(days: -1)
      #expect(all.isEmpty || all == all.sorted() && Set(all).count == all.count)
      for _ in 0..<300 {
        let date = start.adding(days: random.below(30_000) - 100)
        guard date < limit else { continue }
        #expect(found.first(after: date) == all.first { $0 > date }, "\(rule) from \(start) after \(date)")
        #expect(found.contains(date) == all.contains(date))
      }
    }
  }

  @Test func `a count ends on the date of its number`() throws {
    #expect(Array(try dates("FREQ=DAILY;COUNT=1000", "2026-11-22")).count == 1_000)
    #expect(try dates("FREQ=DAILY;COUNT=100000", "2026-11-22").first(after: .last) == nil)
    let counted = try dates("FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3", "2026-01-31")
    #expect(counted.first(after: try #require(LocalDate("2026-03-31")))?.description == "2026-05-31")
    #expect(counted.first(after: try #require(LocalDate("2026-05-31"))) == nil)
  }
}
