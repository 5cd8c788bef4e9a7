import Foundation
import Testing
import WallClock

@Suite struct RFC3339Tests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_709_164_800, "2024-02-29T00:00:00.000Z"),
      (951_782_400, "2000-02-29T00:00:00.000Z"), (4_107_456_000, "2100-02-28T00:00:00.000Z"),
      (4_107_542_400, "2100-03-01T00:00:00.000Z"), (-86_400, "1969-12-31T00:00:00.000Z"),
      (-0.001, "1969-12-31T23:59:59.999Z"), (-2_203_977_600, "1900-02-28T00:00:00.000Z"),
      (-2_203_891_200, "1900-03-01T00:00:00.000Z"), (1_763_276_778.846, "2025-11-16T07:06:18.846Z"),
      (-62_135_596_800, "0001-01-01T00:00:00.000Z"), (253_402_300_799.5, "9999-12-31T23:59:59.500Z"),
    ]
  )
  func `a time is written in UTC with milliseconds and read back the same`(_ seconds: Double, _ text: String) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(date.rfc3339 == text)
    #expect(Date(rfc3339: text).map { abs($0.timeIntervalSince(date)) < 0.000_5 } == true)
  }

  @Test func `every millisecond survives being written and read, over and over`() {
    for millisecond in 0..<1_000 {
      let digits = String(String(1_000 + millisecond).dropFirst())
      let text = "2026-01-31T08:00:59.\(digits)Z"
      #expect(Date(rfc3339: text)?.rfc3339 == text)
    }
  }

  @Test(
    arguments: [
      ("2026-01-31T08:00:00Z", 1_769_846_400), ("2026-01-31T09:00:00+01:00", 1_769_846_400),
      ("2026-01-31T02:30:00-05:30", 1_769_846_400), ("2026-01-31T08:00:00.25Z", 1_769_846_400.25),
      ("2026-01-31T08:00:00.123456Z", 1_769_846_400.123), ("2026-01-31T09:00:00.5+01:00", 1_769_846_400.5),
      ("2026-01-31t08:00:00z", 1_769_846_400), ("2026-01-31 08:00:00-00:00", 1_769_846_400),
      ("2016-12-31T23:59:60Z", 1_483_228_800), ("2024-02-29T23:59:59Z", 1_709_251_199),
    ]
  )
  func `offsets and fractions are read`(_ text: String, _ seconds: Double) throws {
    let date = try #require(Date(rfc3339: text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.001)
  }

  @Test(
    arguments: [
      "", "now", "2026-01-31", "2026-01-31T08:00:00", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z",
      "2025-02-29T00:00:00Z", "2026-01-31T25:00:00Z", "2026-01-31T08:61:00Z", "2026-01-31T08:00:00Zulu",
      "2026-01-31T08:00:00Z ", "31.01.2026", "1769846400",
      "2026-01-31T08:00:00.Z", "2026-01-31T08:00:00+0100", "2026-01-31T08:00:00+25:00", "26-01-31T08:00:00Z",
      "2026-1-31T08:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-10T00:00:00Z",
      "+026-01-31T08:00:00Z", "0000-01-31T08:00:00Z", "2026-01-31T08:00:00é", "nowünowünowünowü",
    ]
  )
  func `anything else is refused`(_ text: String) {
    #expect(Date(rfc3339: text) == nil)
  }
}
