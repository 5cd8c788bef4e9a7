import Foundation
import Recurrence
import TestSupport
import Testing

/// The same rules to this module and to python-dateutil.
@Suite struct DateutilTests {
  static let (seed, count) = (20_261_122, TestScope.cases(5_000, long: 20_000))

  @Test func `every rule has the dates that python-dateutil finds`() throws {
    let script = "Tests/RecurrenceTests/dateutil_cases.py"
    let lines = try Python.lines(of: script, ["\(Self.seed)", "\(Self.count)"])
    #expect(lines.count == Self.count)
    var dates = 0
    var differences: [String] = []
    for line in lines {
      let asked = try JSONDecoder().decode(DateutilCase.self, from: line)
      let answer = try asked.answer()
      dates += asked.dates.count + asked.next.count
      if answer != asked.expected { differences.append("\(String(decoding: line, as: UTF8.self)): \(answer)") }
    }
    print("dateutil, seed \(Self.seed): \(lines.count) rules, \(dates) dates")
    #expect(differences.isEmpty, "\(differences.count) differ:\n\(differences.prefix(20).joined(separator: "\n"))")
  }
}
