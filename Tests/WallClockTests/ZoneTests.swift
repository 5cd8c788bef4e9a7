import Foundation
import Testing
import WallClock

@Suite struct ZoneTests {
  @Test(
    arguments: [
      "UTC", "GMT", "Europe/Kiev", "Europe/Kyiv", "Etc/GMT+5", "EST5EDT", "Asia/Calcutta", "US/Pacific", "Etc/UTC",
      "America/Argentina/ComodRivadavia", "America/Port-au-Prince", "America/Coyhaique",
    ]
  )
  func `identifiers and aliases of the database are zones`(_ identifier: String) throws {
    #expect(try #require(Zone(identifier)).identifier == identifier)
    #expect(Zone(identifier) == Zone(identifier))
  }

  @Test(
    arguments: [
      "", "EST5", "PST", "IST", "AST", "BST", "GMT+3", "UTC+3", "+05:00", "Z", "europe/berlin", "Europe", "Europe/",
      "/Europe/Berlin", "Europe//Berlin", "Europe/../Europe/Berlin", "../../etc/passwd", "posix/Europe/Berlin",
      "right/UTC", "Factory", "localtime", "SystemV/AST4", "Etc/Unknown", "Europe/Berlin ", "Europe/Berlin\0",
      "Etc/GMT+15", "Etc/GMT+05", "Etc/GMT5", "Europe/Nowhere", "America/Argentina",
    ]
  )
  func `other names are refused`(_ identifier: String) {
    #expect(Zone(identifier) == nil)
  }

  @Test func `an identifier of any length is refused without being looked for`() {
    #expect(Zone("Europe/" + String(repeating: "a", count: 10_000_000)) == nil)
  }

  @Test(
    arguments: [
      // A time that the clocks skip is the end of the gap.
      ("Europe/Berlin", "2026-03-29", "02:00", "2026-03-29T01:00:00Z"),
      ("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:00:00Z"),
      ("Europe/Berlin", "2026-03-29", "02:59:59", "2026-03-29T01:00:00Z"),
      ("Europe/Berlin", "2026-03-29", "03:00", "2026-03-29T01:00:00Z"),
      ("Europe/Berlin", "2026-03-29", "01:59:59", "2026-03-29T00:59:59Z"),
      // One that comes twice is its first occurrence.
      ("Europe/Berlin", "2026-10-25", "02:00", "2026-10-25T00:00:00Z"),
      ("Europe/Berlin", "2026-10-25", "02:59:59", "2026-10-25T00:59:59Z"),
      ("Europe/Berlin", "2026-10-25", "03:00", "2026-10-25T02:00:00Z"),
      // The south; midnight that does not exist; half an hour.
      ("America/Santiago", "2026-09-06", "00:00", "2026-09-06T04:00:00Z"),
      ("America/Santiago", "2026-04-04", "23:30", "2026-04-05T02:30:00Z"),
      ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:30:00Z"),
      ("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45:00Z"),
      ("Asia/Kathmandu", "2026-01-01", "00:00", "2025-12-31T18:15:00Z"),
      // Samoa and Tokelau had no 30 December 2011.
      ("Pacific/Apia", "2011-12-30", "00:00", "2011-12-30T10:00:00Z"),
      ("Pacific/Apia", "2011-12-30", "23:59:59", "2011-12-30T10:00:00Z"),
      ("Pacific/Apia", "2011-12-31", "00:00", "2011-12-30T10:00:00Z"),
      ("Pacific/Apia", "2011-12-29", "23:59:59", "2011-12-30T09:59:59Z"),
      ("Pacific/Fakaofo", "2011-12-30", "12:00", "2011-12-30T11:00:00Z"),
      // Changes of the standard offset.
      ("Asia/Pyongyang", "2018-05-04", "23:45", "2018-05-04T15:00:00Z"),
      ("Asia/Pyongyang", "2015-08-14", "23:45", "2015-08-14T14:45:00Z"),
      // Summer time that became the standard one, and Ramadan, when Morocco's clocks go back.
      ("Europe/Istanbul", "2016-12-01", "12:00", "2016-12-01T09:00:00Z"),
      ("Africa/Casablanca", "2026-03-01", "12:00", "2026-03-01T12:00:00Z"),
      ("Africa/Casablanca", "2026-04-01", "12:00", "2026-04-01T11:00:00Z"),
      ("Europe/Dublin", "2026-07-01", "12:00", "2026-07-01T11:00:00Z"),
      // Beyond the table.
      ("Europe/Berlin", "1945-07-01", "12:00", "1945-07-01T09:00:00Z"),  // double summer time
      ("Europe/Berlin", "1969-07-01", "12:00", "1969-07-01T11:00:00Z"),
      ("Europe/Berlin", "2150-03-29", "02:30", "2150-03-29T01:00:00Z"),
      ("Europe/Berlin", "2150-07-01", "12:00", "2150-07-01T10:00:00Z"),
    ]
  )
  func `a local time is an instant`(_ zone: String, _ date: String, _ time: String, _ expected: String) throws {
    let date = try #require(LocalDate(date))
    let time = try #require(LocalTime(time))
    #expect(text(try #require(Zone(zone)).instant(of: date, at: time)) == expected)
  }

  @Test func `an instant has a local date and time`() throws {
    let apia = try #require(Zone("Pacific/Apia"))
    #expect(apia.localDate(at: instant("2011-12-30T09:59:59Z")).description == "2011-12-29")
    #expect(apia.localDate(at: instant("2011-12-30T10:00:00Z")).description == "2011-12-31")
    #expect(apia.localTime(at: instant("2011-12-30T10:00:00Z")) == .midnight)
    #expect(Zone.utc.localTime(at: Date(timeIntervalSince1970: -0.25)).description == "23:59:59")
    #expect(Zone.utc.localDate(at: Date(timeIntervalSince1970: -0.25)).description == "1969-12-31")
  }

  @Test(arguments: [
    Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: -1e300),
  ])
  func `no instant is too far away`(_ instant: Date) throws {
    let berlin = try #require(Zone("Europe/Berlin"))
    #expect((-86_400...86_400).contains(berlin.offset(at: instant)))
    #expect(LocalDate.first...LocalDate.last ~= berlin.localDate(at: instant))
    let hours = try #require(QuietHours(start: .midnight, end: LocalTime("12:00")!, zone: berlin))
    _ = hours.window(at: instant)
  }

  @Test func `the table meets what the file says beyond it`() throws {
    for identifier in ["Europe/Berlin", "America/New_York", "Australia/Sydney", "Africa/Casablanca", "Asia/Tehran"] {
      guard let file = ZoneDatabase.system.file(of: identifier) else { continue }  // no database, see ZoneDatabaseTests
      try expectSameOffsets(try #require(Zone(identifier))) { file.offset(at: Int($0.timeIntervalSince1970)) }
    }
  }

  @Test func `without a database, the table meets what Foundation says beyond it`() throws {
    let registry = ZoneRegistry(database: ZoneDatabase(directory: "/nonexistent"))
    for identifier in ["Europe/Berlin", "America/New_York", "Australia/Sydney", "Africa/Casablanca", "Asia/Tehran"] {
      let foundation = try #require(TimeZone(identifier: identifier))
      try expectSameOffsets(try #require(Zone(identifier, in: registry))) { foundation.secondsFromGMT(for: $0) }
    }
  }

  private func expectSameOffsets(_ zone: Zone, _ offset: (Date) -> Int) throws {
    for year in [1_999, 2_000, 2_059, 2_060, 2_061] {
      for day in 0..<366 {
        let date = try #require(LocalDate(year: year, month: 1, day: 1)?.adding(days: day))
        let instant = Date(timeIntervalSince1970: Double(date.dayNumber) * 86_400 + 43_200)
        #expect(zone.offset(at: instant) == offset(instant), "\(zone) \(date)")
      }
    }
  }
}
