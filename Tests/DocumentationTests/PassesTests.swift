import Foundation
import TestSupport
import Testing

/// Tests/passes names every suite that is something else in the long run: without its line, half of it would never run.
@Suite struct PassesTests {
  @Test func `suites that differ in the long run have their line`() throws {
    let lines = try Repository.text("Tests/passes").split(separator: "\n").map { $0.split(separator: " ") }
    let names = Set(lines.filter { $0.count > 1 && ["both", "long"].contains($0[0]) }.map { String($0[1]) })
    #expect(!names.isEmpty)
    let sources = try Repository.sources(below: "Tests").filter {
      !$0.hasPrefix("Tests/TestSupport/") && !$0.hasSuffix("/PassesTests.swift")
    }
    var found = 0
    for path in sources {
      let text = try Repository.text(path)
      guard text.contains("@Suite") || text.contains("@Test"), Self.marks.contains(where: text.contains) else {
        continue
      }
      found += 1
      let target = String(path.split(separator: "/")[1])
      let suites = text.matches(of: /struct (\w+)/).map { String($0.1) }
      let isNamed = names.contains { name in
        name == target
          || name.hasPrefix("\(target).") && suites.contains { name.hasSuffix(".\($0)") || name.hasSuffix("/\($0)") }
      }
      #expect(isNamed, "\(path) needs a line `both` or `long` in Tests/passes")
    }
    #expect(found > 10)
  }

  /// What asks which run it is, or runs on servers that another release may behave otherwise than.
  private static let marks = [
    ".realBroker", ".sharedBroker", ".postgresServer", "TestedServers.", "TestScope.part", "TestScope.cases",
    "TestScope.rounds", "ForeignClient.chosen",
  ]
}
