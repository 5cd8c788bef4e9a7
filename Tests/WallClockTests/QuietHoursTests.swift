import Foundation
import Testing
import WallClock

@Suite struct QuietHoursTests {
  private func hours(_ start: String, _ end: String, _ zone: String) throws -> QuietHours {
    let (start, end) = (try #require(LocalTime(start)), try #require(LocalTime(end)))
    let place = try #require(Zone(zone))
    return try #require(QuietHours(start: start, end: end, zone: place))
  }

  @Test func `equal bounds are refused`() throws {
    let time = try #require(LocalTime("22:00"))
    #expect(QuietHours(start: time, end: time, zone: .utc) == nil)
  }

  @Test(
    arguments: [
      ("22:00", "07:00", "Europe/Berlin", "2026-01-15T20:59:59Z", nil),
      ("22:00", "07:00", "Europe/Berlin", "2026-01-15T21:00:00Z", "2026-01-16T06:00:00Z"),
      ("22:00", "07:00", "Europe/Berlin", "2026-01-16T05:59:59Z", "2026-01-16T06:00:00Z"),
      ("22:00", "07:00", "Europe/Berlin", "2026-01-16T06:00:00Z", nil),
      ("13:00", "14:30", "Asia/Kathmandu", "2026-01-16T07:15:00Z", "2026-01-16T08:45:00Z"),
      ("13:00", "14:30", "Asia/Kathmandu", "2026-01-16T08:45:00Z", nil),
      // The night in which the clocks change is an hour shorter, or longer.
      ("22:00", "07:00", "Europe/Berlin", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"),
      ("22:00", "07:00", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T06:00:00Z"),
      // A bound that is skipped is the end of the gap.
      ("22:00", "02:30", "Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"),
      ("02:30", "07:00", "Europe/Berlin", "2026-03-29T00:59:59Z", nil),
      ("02:30", "07:00", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T05:00:00Z"),
      ("02:15", "02:45", "Europe/Berlin", "2026-03-29T01:00:00Z", nil),
      ("02:15", "03:15", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T01:15:00Z"),
      // A bound that comes twice is its first occurrence.
      ("22:00", "02:30", "Europe/Berlin", "2026-10-25T00:29:59Z", "2026-10-25T00:30:00Z"),
      ("22:00", "02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", nil),
      ("22:00", "02:30", "Europe/Berlin", "2026-10-25T01:10:00Z", nil),
      ("02:30", "07:00", "Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-25T06:00:00Z"),
      // Half an hour, in the south.
      ("22:00", "02:10", "Australia/Lord_Howe", "2026-10-03T15:00:00Z", "2026-10-03T15:30:00Z"),
      ("22:00", "01:45", "Australia/Lord_Howe", "2026-04-04T14:44:59Z", "2026-04-04T14:45:00Z"),
      ("22:00", "01:45", "Australia/Lord_Howe", "2026-04-04T15:10:00Z", nil),
      // Midnight is skipped, or comes twice.
      ("00:00", "06:00", "America/Santiago", "2026-09-06T04:00:00Z", "2026-09-06T09:00:00Z"),
      ("23:30", "06:00", "America/Santiago", "2026-04-05T03:10:00Z", "2026-04-05T10:00:00Z"),
      // Samoa's 30 December 2011 had no time at all: the night of the 29th is followed by that of the 31st.
      ("22:00", "07:00", "Pacific/Apia", "2011-12-30T09:00:00Z", "2011-12-30T17:00:00Z"),
      ("22:00", "23:00", "Pacific/Apia", "2011-12-30T10:00:00Z", nil),
    ] as [(String, String, String, String, String?)]
  )
  func `quiet hours have an end`(_ start: String, _ end: String, _ zone: String, _ now: String, _ until: String?) throws
  {
    let window = try hours(start, end, zone).window(at: instant(now))
    #expect(window.map { text($0.upperBound) } == until)
  }

  @Test func `windows that a gap brings together are one`() throws {
    let hours = try hours("02:45", "02:15", "Europe/Berlin")
    let window = try #require(hours.window(at: instant("2026-03-29T00:59:59Z")))
    #expect(text(window.lowerBound) == "2026-03-28T01:45:00Z")
    #expect(text(window.upperBound) == "2026-03-30T00:15:00Z")
  }

  @Test func `fractions of a second before the end are quiet`() throws {
    let hours = try hours("22:00", "07:00", "Europe/Berlin")
    let end = instant("2026-01-16T06:00:00Z")
    #expect(hours.window(at: end.addingTimeInterval(-0.001))?.upperBound == end)
    #expect(hours.window(at: end) == nil)
  }

  @Test func `the end is not quiet, and all before it is`() throws {
    for zone in ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "America/Havana", "Africa/Casablanca"] {
      for (start, end) in [
        ("22:00", "07:00"), ("00:00", "01:00"), ("02:10", "02:05"), ("23:59:59", "00:00"), ("09:00", "17:00"),
      ] {
        let hours = try hours(start, end, zone)
        for step in 0..<1_000 {
          let now = instant("2011-10-01T00:00:00Z").addingTimeInterval(Double(step) * 43_211)
          guard let window = hours.window(at: now) else { continue }
          #expect(window.contains(now))
          #expect(hours.window(at: window.upperBound) == nil)
          #expect(hours.window(at: window.lowerBound) == window)
          #expect(hours.window(at: window.upperBound.addingTimeInterval(-1)) == window)
          #expect(hours.window(at: window.lowerBound.addingTimeInterval(-1)) == nil)
        }
      }
    }
  }
}
