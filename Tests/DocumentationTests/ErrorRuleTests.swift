import TestSupport
import Testing

/// What CONTRIBUTING.md says of errors holds for the sources.
@Suite struct ErrorRuleTests {
  @Test(arguments: ["Postgres", "Broker", "Transport"])
  func `every error type of a driver says whether it is transient`(_ driver: String) throws {
    let sources = try Repository.sources(below: "Shared/\(driver)")
    try #require(!sources.isEmpty)
    let silent = /(?:struct|enum|class|extension) +\w+[^{\n]*: *(?:[\w, ]*\b)?Error\b/
    for path in sources {
      for match in try Repository.text(path).matches(of: silent) {
        Issue.record("\(path): '\(match.output)' should be TransienceReporting")
      }
    }
  }
}
