import Foundation
import TestSupport
import Testing
import UserIdentity
import WallClock

@testable import Rules

@Suite struct ValueTests {
  @Test(
    arguments: [
      ("0", "0"), ("-0", "0"), ("12.50", "12.5"), ("-3.14", "-3.14"), ("1e3", "1000"), ("1.5E-3", "0.0015"),
      ("999999999999999.999999999999999999", "999999999999999.999999999999999999"), ("0.30000000000000004", nil),
      ("1e-400", "0"), ("-1e-400", "-0.000000000000000001"), ("100000000000000000000e-10", "10000000000"),
      ("0e999999999", "0"), ("33.333333333333336", nil),
    ] as [(String, String?)]
  )
  func `a number is read exactly and written without needless zeros`(_ text: String, _ expected: String?) {
    #expect(ExactNumber(text)?.description == expected ?? text)
  }

  @Test(
    arguments: [
      "", " 1", "1 ", "+1", "01", ".5", "5.", "1e", "1e+", "NaN", "Infinity", "-inf", "0x10", "1,000", "١", "12abc",
      "1e15", "1000000000000000", "1e999999999999999999999", "-1e308", String(repeating: "9", count: 65), "1_000",
      "--1",
    ]
  )
  func `what is no number in range is refused`(_ text: String) { #expect(ExactNumber(text) == nil) }

  @Test func `percentages are rounded down, so they reach a value only if the true one does`() {
    func percent(_ a: String, _ b: String) -> String? {
      ExactNumber(a)?.percent(of: ExactNumber(b)!).map(\.description)
    }
    #expect(percent("1", "3") == "33.33")
    #expect(percent("74.999999", "100") == "74.99")
    #expect(percent("75", "100") == "75")
    #expect(percent("0.1", "0.3") == "33.33")
    #expect(percent("-1", "3") == "-33.34")
    #expect(percent("1", "0") == nil)
    #expect(percent("1", "-1") == nil)
    #expect(percent("999999999999999", "0.000000000000000001") == nil)
    #expect(ExactNumber("0.3")?.minus(ExactNumber("0.1")!)?.description == "0.2")
    #expect(ExactNumber("-999999999999999")?.minus(ExactNumber("999999999999999")!) == nil)
  }

  @Test(arguments: [("PT30M", 1_800), ("P1DT12H", 129_600), ("PT1H1M1S", 3_661), ("P31D", 2_678_400), ("PT0S", 0)])
  func `a duration is read`(_ text: String, _ seconds: Int) { #expect(ElapsedTime(text)?.seconds == seconds) }

  @Test(
    arguments: [
      "", "P", "PT", "P1DT", "30M", "PT30", "PT1M1H", "PT1M1M", "P1W", "P1M", "-PT1M", "PT1.5H", "P32D", "PTT1M",
      "PT99999999999999999999H", "P1D1D", "pt30m",
    ]
  )
  func `what is no duration is refused`(_ text: String) { #expect(ElapsedTime(text) == nil) }

  @Test func `an id is read in either case, and nothing else is one`() {
    let id = UUID(uuidString: "019A8B7C-6D5E-7F40-8123-456789ABCDEF")!
    #expect(UUID(hyphenated: "019a8b7c-6d5e-7f40-8123-456789abcdef") == id)
    #expect(UUID(hyphenated: "019A8B7C-6D5E-7F40-8123-456789ABCDEF") == id)
    for text in [
      "", "019a8b7c-6d5e-7f40-8123-456789abcde", "019a8b7c-6d5e-7f40-8123-456789abcdef0",
      "019a8b7c6d5e-7f40-8123-456789abcdef-",
      "+19a8b7c-6d5e-7f40-8123-456789abcdef", " 19a8b7c-6d5e-7f40-8123-456789abcdef",
      "019g8b7c-6d5e-7f40-8123-456789abcdef",
      "019a8b7c-6d5e-7f40-8123-456789abcd\u{E9}", "019a8b7c_6d5e_7f40_8123_456789abcdef",
    ] {
      #expect(UUID(hyphenated: text) == nil, "\(text)")
    }
  }

  @Test func `the bitmap's runs are those of a plain set of days`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      var known: Set<Int> = []
      var map: DayBitmap?
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        let number = 20_000 + Int.random(in: 0...Int.random(in: 1...400, using: &random), using: &random)
        let newest = known.max() ?? number
        let day = LocalDate(dayNumber: number)
        if map == nil { map = DayBitmap(day) } else { _ = map?.insert(day) }
        if newest - number < 128 { known.insert(number) }
        known = known.filter { max(newest, number) - $0 < 128 }
        var run = 0
        if known.contains(number) {
          run = 1
          while known.contains(number - run) { run += 1 }
          var later = 1
          while known.contains(number + later) { later += 1 }
          run += later - 1
        }
        #expect(map?.run(around: day) == run)
      }
      #expect(map.map { DayBitmap(newest: $0.newest, bits: $0.bits) } == map)
    }
  }
}
