import Foundation
import Testing
import WallClock

@Suite struct PosixTimeZoneTests {
  @Test(
    arguments: [
      ("UTC0", 0), ("<+03>-3", 10_800), ("<-03>3", -10_800), ("<+0545>-5:45", 20_700), ("IST-5:30", 19_800),
      ("LMT-0:53:28", 3_208), ("XXX+5", -18_000), ("HST10", -36_000), ("<A-+9>-16", 57_600), ("abc16:00:00", -57_600),
      ("<-00>0", 0), ("XXX-07", 25_200), ("XXX-5:3", 18_180),
    ]
  )
  func `an offset counts west`(_ text: String, _ offset: Int) throws {
    let zone = try #require(PosixTimeZone(text.utf8))
    #expect(zone.offset(at: 0) == offset && zone.offset(at: 1 << 50) == offset)
    #expect(zone.changes(after: 0, before: 1 << 33).isEmpty)
  }

  /// Worked out by hand, or from `zdump -v` of the zone that has the rule.
  @Test(
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", 2_026, ["2026-03-29T01:00:00Z 7200", "2026-10-25T01:00:00Z 3600"]),
      ("EST5EDT,M3.2.0,M11.1.0", 2_060, ["2060-03-14T07:00:00Z -14400", "2060-11-07T06:00:00Z -18000"]),
      // The south, where the year begins with daylight saving; half an hour of it; a time at midnight.
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2_026, ["2026-04-04T15:00:00Z 37800", "2026-10-03T15:30:00Z 39600"]),
      ("<-04>4<-03>,M9.1.6/24,M4.1.6/24", 2_024, ["2024-04-07T03:00:00Z -14400", "2024-09-08T04:00:00Z -10800"]),
      // Daylight saving that goes back.
      ("IST-1GMT0,M10.5.0,M3.5.0/1", 2_026, ["2026-03-29T01:00:00Z 3600", "2026-10-25T01:00:00Z 0"]),
      // Times before and beyond the day: Nuuk, Gaza, Jerusalem.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2_026, ["2026-03-29T01:00:00Z -3600", "2026-10-25T01:00:00Z -7200"]),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", 2_026, ["2026-03-28T00:00:00Z 10800", "2026-10-23T23:00:00Z 7200"]),
      ("IST-2IDT,M3.4.4/26,M10.5.0", 2_026, ["2026-03-27T00:00:00Z 10800", "2026-10-24T23:00:00Z 7200"]),
      // Days by number: J60 is always 1 March, 59 is 29 February if there is one.
      ("AAA0BBB,J60/0,J365/0:30:15", 2_024, ["2024-03-01T00:00:00Z 3600", "2024-12-30T23:30:15Z 0"]),
      ("AAA0BBB,J60/0,J365/0", 2_023, ["2023-03-01T00:00:00Z 3600", "2023-12-30T23:00:00Z 0"]),
      ("AAA0BBB,59/0,364/0", 2_024, ["2024-02-29T00:00:00Z 3600", "2024-12-29T23:00:00Z 0"]),
      ("AAA0BBB,59/0,364/0", 2_023, ["2023-03-01T00:00:00Z 3600", "2023-12-30T23:00:00Z 0"]),
      // A change that falls into the next year, and one into the year before.
      ("AAA0BBB,M6.1.0/0,J365/167", 2_026, ["2026-01-06T22:00:00Z 0", "2026-06-07T00:00:00Z 3600"]),
      ("AAA0BBB,J1/-167,M6.1.0/0", 2_026, ["2026-06-06T23:00:00Z 0", "2026-12-25T01:00:00Z 3600"]),
      // The fifth weekday of a month that has four; a daylight saving of two hours.
      ("AAA-3BBB-5,M2.5.6/12,M2.5.6/12", 2_027, ["2027-02-27T07:00:00Z 10800", "2027-02-27T09:00:00Z 18000"]),
    ]
  )
  func `rules have their changes`(_ text: String, _ year: Int, _ expected: [String]) throws {
    let zone = try #require(PosixTimeZone(text.utf8))
    let start = try #require(LocalDate(year: year, month: 1, day: 1)).dayNumber * 86_400
    let end = try #require(LocalDate(year: year + 1, month: 1, day: 1)).dayNumber * 86_400
    let changes = zone.changes(after: start, before: end)
    let texts = changes.map { "\(WallClockTests.text(Date(timeIntervalSince1970: Double($0.at)))) \($0.offset)" }
    #expect(texts == expected)
    for change in changes { #expect(zone.offset(at: change.at) == change.offset) }
    #expect(zone.offset(at: changes[1].at - 1) == changes[0].offset)
  }

  /// The first two are examples of POSIX.1-2024 8.3 and of RFC 9636 3.3.1.
  @Test(arguments: [("EST5EDT,0/0,J365/25", -14_400), ("XXX3EDT4,0/0,J365/23", -14_400), ("AAA0BBB,J9,J9/3", 0)])
  func `daylight saving may last all year, or not at all`(_ text: String, _ offset: Int) throws {
    let zone = try #require(PosixTimeZone(text.utf8))
    for day in 20_000..<22_000 {
      for second in [0, 10_799, 10_800, 14_400, 18_000] { #expect(zone.offset(at: day * 86_400 + second) == offset) }
    }
  }

  @Test(
    arguments: [
      "", "UTC", "0", "AB0", "<+3>-3", "<+03-3", "<+03>", "<>0", "+03-3", "CÉT-1", ":Europe/Berlin", "UTC0 ", " UTC0",
      "UTC--1", "UTC+-1", "UTC17", "UTC25", "UTC1:60", "UTC1:", "UTC1:00:", "UTC1:00:60", "UTC1:00:00:00", "UTC0001",
      "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "CET-1CEST,M3.5.0,M10.5.0,",
      "CET-1CEST-2:,M3.5.0,M10.5.0", "CET-1,M3.5.0,M10.5.0", "CET-16CEST,M3.5.0,M10.5.0", "CET-1CEST-17,M3.5.0,M10.5.0",
      "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
      "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0", "CET-1CEST,M3.5.0/,M10.5.0", "CET-1CEST,M3.5.0/168,M10.5.0",
      "CET-1CEST,J0,J365", "CET-1CEST,J1,J366", "CET-1CEST,0,366", "CET-1CEST,-1,365", "CET-1CEST,J,J365",
      "CET-1CEST,M3.5.0/--1,M10.5.0", "CET-1CEST,99999999999999999999,1", "CET-1CEST,M3.5.0/2:00:00:00,M10.5.0",
      "UTC0\0",
    ]
  )
  func `other texts are none`(_ text: String) {
    #expect(PosixTimeZone(text.utf8) == nil)
  }
}
