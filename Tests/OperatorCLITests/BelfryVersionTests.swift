import ConsoleCommands
import TestSupport
import Testing

struct BelfryVersionTests {
  /// As `compose/package/make` reads it there.
  @Test func `the programs say the version of the changelog's first heading`() throws {
    let heading = try #require(try Repository.text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") })
    let version = try #require(heading.matches(of: /[0-9]+(\.[0-9]+){2}/).last)
    #expect(BelfryVersion.current == version.output.0)
  }
}
