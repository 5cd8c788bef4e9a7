import Foundation
import TestSupport
import Testing
import WallClock

/// The same questions to this module and to Python's zoneinfo, which read the same files: all zones, changes of the
/// offset of 1970 to 2037, and offsets of 1900 to 2099.
@Suite struct ZoneinfoTests {
  static let seed = 20_261_122
  static let script = "Tests/WallClockTests/zoneinfo_cases.py"

  /// The system's database, where there is one, and that of the PyPI package which Tests/requirements.txt pins: `zic -b
  /// fat` made the one of Debian 12, `-b slim` the other.
  static let databases =
    [ZoneDatabase.system.directory].filter { FileManager.default.fileExists(atPath: $0 + "/Europe/Berlin") }
    + ["tzdata"]

  @Test(arguments: databases)
  func `every answer about every zone is that of Python's zoneinfo`(_ database: String) throws {
    let lines = try Python.lines(of: Self.script, ["\(Self.seed)", "6", database])
    let header = try JSONDecoder().decode(ZoneinfoQuestion.Header.self, from: try #require(lines.first))
    let registry = ZoneRegistry(database: ZoneDatabase(directory: header.directory))
    var asked: [ZoneinfoQuestion.Kind: Int] = [:]
    var differences: [String] = []
    for line in lines.dropFirst() {
      let question = try JSONDecoder().decode(ZoneinfoQuestion.self, from: line)
      let answer = try question.answer(in: registry)
      asked[question.kind, default: 0] += 1
      if answer != question.expected { differences.append("\(String(decoding: line, as: UTF8.self)): \(answer)") }
    }
    print(
      "zoneinfo, tz \(header.version) in \(header.directory), seed \(Self.seed): \(header.zones.count) zones, \(asked)"
    )
    #expect(asked.values.reduce(0, +) >= 20_000)
    #expect(differences.isEmpty, "\(differences.count) differ:\n\(differences.prefix(2_000).joined(separator: "\n"))")
  }

  @Test(arguments: databases)
  func `every identifier and alias of the database is a zone, and its file is sound`(_ database: String) throws {
    let lines = try Python.lines(of: Self.script, ["\(Self.seed)", "0", database])
    let header = try JSONDecoder().decode(ZoneinfoQuestion.Header.self, from: try #require(lines.first))
    let database = ZoneDatabase(directory: header.directory)
    let registry = ZoneRegistry(database: database)
    // Debian and Ubuntu may have left the old names to `tzdata-legacy`.
    #expect(header.zones.count > 300)
    #expect(header.zones.filter { Zone($0, in: registry) == nil } == ["Factory"])
    #expect(header.zones.filter { database.file(of: $0) == nil } == ["Factory"])
  }
}
