import ServiceRuntime
import Synchronization
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

  @Test func `what is told beside the conditions is as it is now, and fails none`() {
    let version = Mutex(7)
    var checks = HealthChecks()
    checks.tell("catalogue") { "version \(version.withLock(\.self))" }
    #expect(checks.told().map { "\($0.name): \($0.text)" } == ["catalogue: version 7"])
    version.withLock { $0 = 8 }
    #expect(checks.told().map(\.text) == ["version 8"])
    #expect(checks.failing().isEmpty)
  }

  @Test func `whoever may ask on an open port learns no more than anybody may`() {
    var checks = HealthChecks()
    checks.add("database") { false }
    checks.add(open: "catalogue") { "catalogue: version 8 cannot be read: types[0] is wrong" }
    checks.add(open: "never") { nil }
    checks.tell("catalogue", open: { "file" }) { "file /etc/belfry/ours.yaml" }
    checks.tell("build") { "7" }
    #expect(checks.failing(isOpen: true) == ["database", "catalogue"])
    #expect(checks.failing() == ["database", "catalogue: version 8 cannot be read: types[0] is wrong"])
    #expect(checks.told(isOpen: true).map(\.text) == ["file", "7"])
    #expect(checks.told().map(\.text) == ["file /etc/belfry/ours.yaml", "7"])
  }
}
