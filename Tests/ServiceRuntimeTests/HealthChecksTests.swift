import ServiceRuntime
import Testing

@Suite struct HealthChecksTests {
  @Test func `without conditions a service is ready`() {
    #expect(HealthChecks().failing().isEmpty)
  }

  @Test func `the conditions that do not hold are named`() {
    var checks = HealthChecks()
    checks.add("database") { true }
    checks.add("publisher") { false }
    checks.add("consumer") { false }
    #expect(checks.failing() == ["publisher", "consumer"])
  }

  @Test func `a problem names itself, as long as it lasts`() {
    var checks = HealthChecks()
    checks.add("database") { true }
    checks.add { "database: partition" }
    checks.add { nil }
    #expect(checks.failing() == ["database: partition"])
  }
}
