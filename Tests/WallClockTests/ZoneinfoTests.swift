import Foundation
import TestSupport
import Testing
import WallClock

/// The same questions to this module and to Python's zoneinfo: all zones, changes of the offset of 1970 to 2037.
@Suite struct ZoneinfoTests {
  static let seed = 20_261_122

  @Test func `every answer about every zone is that of Python's zoneinfo`() throws {
    let lines = try Python.lines(of: "Tests/WallClockTests/zoneinfo_cases.py", ["\(Self.seed)", "6"])
    let header = try JSONDecoder().decode(ZoneinfoQuestion.Header.self, from: try #require(lines.first))
    // With another version, differences would say nothing. After an update of the toolchain, pin that version in
    // Tests/requirements.txt: 2025b is tzdata==2025.2.
    try #require(header.version == TimeZone.timeZoneDataVersion, "tzdata's and Foundation's versions differ")
    var asked: [ZoneinfoQuestion.Kind: Int] = [:]
    var differences: [String] = []
    for line in lines.dropFirst() {
      let question = try JSONDecoder().decode(ZoneinfoQuestion.self, from: line)
      let answer = try question.answer()
      asked[question.kind, default: 0] += 1
      if answer != question.expected { differences.append("\(String(decoding: line, as: UTF8.self)): \(answer)") }
    }
    print("zoneinfo, tz \(header.version), seed \(Self.seed): \(header.zones.count) zones, \(asked)")
    #expect(asked.values.reduce(0, +) >= 20_000)
    #expect(differences.isEmpty, "\(differences.count) differ:\n\(differences.prefix(2_000).joined(separator: "\n"))")
  }

  @Test func `every identifier and alias of the database is a zone`() throws {
    let lines = try Python.lines(of: "Tests/WallClockTests/zoneinfo_cases.py", ["\(Self.seed)", "0"])
    let header = try JSONDecoder().decode(ZoneinfoQuestion.Header.self, from: try #require(lines.first))
    #expect(header.zones.count > 590)
    #expect(header.zones.filter { Zone($0) == nil } == ["Factory"])
  }
}
