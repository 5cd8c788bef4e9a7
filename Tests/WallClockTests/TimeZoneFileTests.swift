import TestSupport
import Testing
import WallClock

@Suite struct TimeZoneFileTests {
  @Test(arguments: [0, UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4"), UInt8(ascii: "5")])
  func `every version is read`(_ version: UInt8) throws {
    let file = try #require(TimeZoneFile(ZoneFileBytes(version: version).bytes))
    #expect(
      [-1, 999, 1_000, 1_999, 2_000, 1 << 40].map { file.offset(at: $0) } == [3_600, 3_600, 7_200, 7_200, 3_600, 3_600]
    )
    #expect(file.changes(after: -1, before: 1 << 40).map { [$0.at, $0.offset] } == [[1_000, 7_200], [2_000, 3_600]])
    #expect(file.changes(after: 1_000, before: 2_000).isEmpty)
  }

  @Test func `the footer holds from the last change on`() throws {
    let rule = "\n<+01>-1<+02>,M3.5.0,M10.5.0/3\n"
    let file = try #require(TimeZoneFile(ZoneFileBytes(footer: rule).bytes))
    // 29 March and 25 October 1970, 01:00 UTC.
    let changes = [[1_000, 7_200], [2_000, 3_600], [7_520_400, 7_200], [25_664_400, 3_600]]
    #expect(file.changes(after: 0, before: 31_536_000).map { [$0.at, $0.offset] } == changes)
    #expect(file.offset(at: 7_520_399) == 3_600 && file.offset(at: 7_520_400) == 7_200)
    let ruleAlone = try #require(TimeZoneFile(ZoneFileBytes(times: [], indices: [], footer: rule).bytes))
    #expect(ruleAlone.offset(at: 7_520_400) == 7_200)
    #expect(ruleAlone.changes(after: 0, before: 31_536_000).count == 2)
  }

  @Test func `without a footer the last offset stays, and without changes the first`() throws {
    let open = try #require(TimeZoneFile(ZoneFileBytes(indices: [0, 1], footer: "\n\n").bytes))
    #expect(open.offset(at: 1 << 40) == 7_200)
    let empty = try #require(TimeZoneFile(ZoneFileBytes(times: [], indices: [], footer: "\n\n").bytes))
    #expect(empty.offset(at: 0) == 3_600)
    #expect(empty.changes(after: .min, before: .max).isEmpty)
  }

  @Test func `times of 64 bits are kept whole`() throws {
    let file = try #require(TimeZoneFile(ZoneFileBytes(times: [-1 << 59, 1 << 40]).bytes))
    #expect(file.offset(at: (-1 << 59) - 1) == 3_600 && file.offset(at: (1 << 40) - 1) == 7_200)
  }

  @Test(arguments: [0, UInt8(ascii: "2")])
  func `a file that ends early is damaged, wherever it ends`(_ version: UInt8) {
    let bytes = ZoneFileBytes(version: version).bytes
    for length in 0..<bytes.count {
      #expect(TimeZoneFile(Array(bytes[..<length])) == nil, "\(length)")
    }
    #expect(TimeZoneFile(bytes + Array("rubbish".utf8)) == TimeZoneFile(bytes))
  }

  @Test(arguments: [0, UInt8(ascii: "2")], 0..<6)
  func `counts beyond the file are damage`(_ version: UInt8, _ place: Int) {
    for count: UInt32 in [1_000, 65_536, 65_537, 0x7FFF_FFFF, 0x8000_0000, .max] {
      #expect(TimeZoneFile(ZoneFileBytes(version: version, counts: [place: count]).bytes) == nil, "\(count)")
    }
  }

  @Test func `what contradicts the format is damage`() {
    var damaged = [
      "no types": ZoneFileBytes(types: [], times: [], indices: []), "an unknown type": .init(indices: [1, 2]),
      "a type without a name": .init(types: [(3_600, 0, 9), (7_200, 1, 4)]),
      "daylight saving of 2": .init(types: [(3_600, 2, 0), (7_200, 1, 4)]),
      "the largest offset": .init(types: [(.max, 0, 0), (7_200, 1, 4)]),
      "the smallest offset": .init(types: [(.min, 0, 0), (7_200, 1, 4)]),
      "seventeen hours": .init(types: [(61_200, 0, 0), (7_200, 1, 4)]),
      "the same time twice": .init(times: [1_000, 1_000]), "times that fall": .init(times: [2_000, 1_000]),
      "leap seconds": .init(leapSeconds: [(78_796_800, 1)]), "a text in place of a footer": .init(footer: "CET-1\n"),
    ]
    for version: UInt8 in [1, 2, UInt8(ascii: "1"), UInt8(ascii: "a"), 0xFF] {
      damaged["version \(version)"] = .init(version: version)
    }
    for (name, file) in damaged { #expect(TimeZoneFile(file.bytes) == nil, "\(name)") }
    #expect(TimeZoneFile([UInt8](repeating: 0, count: 65_536)) == nil)
    #expect(TimeZoneFile(ZoneFileBytes().bytes + [UInt8](repeating: 0, count: 65_536)) == nil, "too large")
  }

  @Test func `bytes gone astray stop nobody`() {
    var random = SplitMix64(seed: 20_261_122)
    let rule = "\nXXX5:30YYY-1:00,J60/-167,M12.5.6/167\n"
    let (old, new) = (ZoneFileBytes(version: 0).bytes, ZoneFileBytes(version: UInt8(ascii: "3"), footer: rule).bytes)
    var sound = 0
    for _ in 0..<20_000 {
      guard let file = TimeZoneFile(random.mutated(random.below(4) == 0 ? old : new)) else { continue }
      sound += 1
      for instant in [Int.min, -62_135_596_800, 0, 1_500, 4_000_000_000, .max] { _ = file.offset(at: instant) }
      _ = file.changes(after: 946_684_800, before: 2_840_140_800)
    }
    #expect(sound > 100)
  }
}
