import Authentication
import Broker
import Postgres
import ServiceRuntime
import Settings
import Testing

@Suite struct SettingsTests {
  private enum Colour: String, CaseIterable { case red, green }

  /// What `validate()` says, or nil.
  private func problems(_ variables: [String: String], _ read: (Settings) -> Void) -> String? {
    let settings = Settings(variables: variables)
    read(settings)
    do {
      try settings.validate()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `absent means the default`() throws {
    let settings = Settings(variables: [:])
    #expect(settings.string("a.text", default: "x", "s") == "x")
    #expect(settings.optionalString("a.maybe", "s") == nil)
    #expect(settings.integer("a.number", default: 7, in: 1...9, "s") == 7)
    #expect(settings.duration("a.span", default: .seconds(3), in: .milliseconds(1) ... .seconds(9), "s") == .seconds(3))
    #expect(
      settings.durations("a.spans", default: [.seconds(1)], in: .seconds(1) ... .seconds(60), atMost: 3, "s") == [
        .seconds(1)
      ]
    )
    #expect(settings.boolean("a.flag", default: true, "s"))
    #expect(settings.choice("a.colour", default: Colour.red, "s") == .red)
    #expect(settings.list("a.list", default: ["p", "q"], "s") == ["p", "q"])
    #expect(settings.names("a.names", of: [Colour.red, .green], default: [.red], "s") == [.red])
    try settings.validate()
  }

  @Test func `empty counts as absent`() throws {
    let settings = Settings(variables: ["BELFRY_A_NUMBER": "", "BELFRY_A_TEXT": ""])
    #expect(settings.integer("a.number", default: 7, in: 1...9, "s") == 7)
    #expect(settings.string("a.text", default: "x", "s") == "x")
    try settings.validate()
  }

  @Test func `every kind of value is read`() throws {
    let settings = Settings(
      variables: [
        "BELFRY_A_TEXT": "hello, world", "BELFRY_A_MAYBE": "y", "BELFRY_A_NUMBER": "9", "BELFRY_A_SPAN": "250ms",
        "BELFRY_A_SPANS": "1s, 10s,1min", "BELFRY_A_FLAG": "false", "BELFRY_A_COLOUR": "green",
        "BELFRY_A_LIST": " p,, q ,r", "PATH": "/bin", "HOME": "/root",
      ]
    )
    #expect(settings.string("a.text", default: nil, "s") == "hello, world")
    #expect(settings.optionalString("a.maybe", "s") == "y")
    #expect(settings.integer("a.number", default: 7, in: 1...9, "s") == 9)
    #expect(
      settings.duration("a.span", default: .seconds(3), in: .milliseconds(1) ... .seconds(9), "s") == .milliseconds(250)
    )
    #expect(
      settings.durations("a.spans", default: [], in: .seconds(1) ... .seconds(60), atMost: 3, "s") == [
        .seconds(1), .seconds(10), .seconds(60),
      ]
    )
    #expect(!settings.boolean("a.flag", default: true, "s"))
    #expect(settings.choice("a.colour", default: Colour.red, "s") == .green)
    #expect(settings.list("a.list", default: [], "s") == ["p", "q", "r"])
    try settings.validate()
  }

  @Test(
    arguments: [
      "a.text", "database.queryTimeout", "auth.jwksFile", "broker.caFile", "service.shutdownDeadline",
      "push.serviceAccountFile", "email.fromName",
    ]
  )
  func `the documented variable is the one that is read`(_ key: String) throws {
    let documenting = Settings.documenting()
    _ = documenting.optionalString(key, "s")
    let variable = try #require(documenting.descriptions.first).variable
    #expect(Settings(variables: [variable: "value"]).optionalString(key, "s") == "value")
  }

  @Test(
    arguments: ["0", "10", "-1", "1.5", "ten", "1 ", " 1", "0x1", "99999999999999999999"]
  )
  func `a malformed number stops the start with its name`(_ text: String) {
    let found = problems(["BELFRY_A_NUMBER": text]) { _ = $0.integer("a.number", default: 7, in: 1...9, "s") }
    #expect(found == "BELFRY_A_NUMBER: expected integer 1…9, got '\(text)'")
  }

  @Test(
    arguments: [
      ("SPAN", "5"), ("SPAN", "5 minutes"), ("SPAN", "0s"), ("SPAN", "10s"), ("SPAN", "36500d"), ("SPANS", "10s,1s"),
      ("SPANS", "1s,1s"), ("SPANS", "1s,x"), ("SPANS", ","), ("SPANS", "0ms,1s"), ("SPANS", "1s,61s"),
      ("SPANS", "1s,2s,3s,4s"),
      ("FLAG", "yes"), ("FLAG", "1"), ("FLAG", "TRUE"), ("COLOUR", "blue"), ("COLOUR", "Red"),
    ]
  )
  func `any other malformed value stops the start with its name`(_ name: String, _ text: String) throws {
    let found = problems(["BELFRY_A_\(name)": text]) {
      _ = $0.duration("a.span", default: .seconds(3), in: .milliseconds(1) ... .seconds(9), "s")
      _ = $0.durations("a.spans", default: [], in: .seconds(1) ... .seconds(60), atMost: 3, "s")
      _ = $0.boolean("a.flag", default: true, "s")
      _ = $0.choice("a.colour", default: Colour.red, "s")
    }
    #expect(try #require(found).hasPrefix("BELFRY_A_\(name): expected "))
    #expect(try #require(found).hasSuffix("got '\(text)'"))
  }

  @Test(arguments: [
    ("", [Colour.red]), ("green", [.green]), (" red,green ,", [.red, .green]), ("none", []), (" none ", []),
    ("Red,GREEN", [.red, .green]),
  ])
  private func `names are separated by commas, and none is no name`(_ text: String, _ expected: [Colour]) throws {
    let settings = Settings(variables: ["BELFRY_A_NAMES": text])
    #expect(settings.names("a.names", of: Colour.allCases, default: [.red], "s") == expected)
    #expect(settings.descriptions.map(\.defaultValue) == ["red"])
    try settings.validate()
  }

  @Test(arguments: ["blue", "red,blue", "none,red", ",", " "])
  func `a name that is not among those there are stops the start with these`(_ text: String) {
    let found = problems(["BELFRY_A_NAMES": text]) {
      _ = $0.names("a.names", of: [Colour.red, .green], default: [.red], "s")
    }
    #expect(found == "BELFRY_A_NAMES: expected red, green (separated by commas), or none, got '\(text)'")
  }

  @Test func `names that several programs read make none of them check the rest of the section`() {
    func problem(_ reads: @escaping (Settings) -> Void = { _ in }) -> String? {
      problems(["BELFRY_A_NAMES": "red", "BELFRY_A_NUMBER": "5"]) {
        _ = $0.names("a.names", of: [Colour.red], default: [], "s")
        reads($0)
      }
    }
    #expect(problem() == nil)
    let found = problem { _ = $0.string("a.text", default: "", "s") }
    #expect(found == "BELFRY_A_NUMBER is not a setting of this service; --help lists them")
  }

  @Test func `a duration that must be shorter than another is refused with the names of both`() {
    func problem(_ variables: [String: String]) -> String? {
      problems(variables) {
        _ = $0.duration("a.outer", default: .seconds(25), in: .seconds(1) ... .seconds(60), "s")
        _ = $0.duration("a.inner", default: .seconds(20), in: .seconds(1) ... .seconds(60), "s")
        $0.require("a.inner", shorterThan: "a.outer", "it would be cut off.")
        $0.require("a.inner", shorterThan: "b.other", "that is not read here.")
      }
    }
    #expect(problem([:]) == nil)
    #expect(problem(["BELFRY_A_INNER": "24s"]) == nil)
    #expect(
      problem(["BELFRY_A_INNER": "25s"])
        == "BELFRY_A_INNER (25s) must be shorter than BELFRY_A_OUTER (25s): it would be cut off."
    )
    #expect(problem(["BELFRY_A_OUTER": "1s"])?.hasPrefix("BELFRY_A_INNER (20s) must be shorter") == true)
  }

  @Test func `a duration may have to be shorter than another by something`() {
    func problem(_ inner: String) -> String? {
      problems(["BELFRY_A_INNER": inner]) {
        _ = $0.duration("a.outer", default: .seconds(25), in: .seconds(1) ... .seconds(60), "s")
        _ = $0.duration("a.inner", default: .seconds(20), in: .seconds(1) ... .seconds(60), "s")
        $0.require("a.inner", shorterThan: "a.outer", byMoreThan: .seconds(2), "it would be cut off.")
      }
    }
    #expect(problem("22s") == nil)
    #expect(
      problem("23s")
        == "BELFRY_A_INNER (23s) must be shorter than BELFRY_A_OUTER (25s) by more than 2s: it would be cut off."
    )
  }

  @Test func `a value of a type of its own reads itself`() throws {
    let kind = "number with a point"
    let settings = Settings(variables: ["BELFRY_A_NUMBER": "2.5"])
    #expect(settings.value("a.number", default: 1.5, kind: kind, "s") == 2.5)
    #expect(settings.value("a.third", default: 1.5, kind: kind, "s") == 1.5)
    #expect(settings.descriptions.map(\.defaultValue) == ["1.5", "1.5"])
    #expect(settings.descriptions.map(\.kind) == [kind, kind])
    let problem = problems(["BELFRY_AN_OTHER": "two"]) { _ = $0.value("an.other", default: 1.5, kind: kind, "s") }
    #expect(problem == "BELFRY_AN_OTHER: expected number with a point, got 'two'")
  }

  @Test func `the bounds of a duration are documented`() throws {
    let settings = Settings.documenting()
    _ = settings.duration("a.span", default: .seconds(3), in: .milliseconds(1) ... .seconds(60), "s")
    _ = settings.durations("a.spans", default: [], in: .seconds(1) ... .seconds(86_400), atMost: 3, "s")
    #expect(
      settings.descriptions.map(\.kind) == ["duration 1ms…1min", "durations 1s…1d, ascending, at most 3"]
    )
  }

  @Test func `everything that is wrong is reported at once`() {
    let found = problems(["BELFRY_A_NUMBER": "x", "BELFRY_A_NUMBR": "5"]) {
      _ = $0.string("a.url", default: nil, "Where it is.")
      _ = $0.integer("a.number", default: 7, in: 1...9, "s")
      $0.problem("a rule")
    }
    #expect(
      found == "BELFRY_A_URL is required: Where it is.; BELFRY_A_NUMBER: expected integer 1…9, got 'x'; a rule; "
        + "BELFRY_A_NUMBR is not a setting of this service; --help lists them"
    )
  }

  @Test func `a variable of another service is none of our business`() {
    let variables = ["BELFRY_PUSH_PREFETCH": "x", "BELFRY_AB_C": "x", "OTHER": "x"]
    #expect(problems(variables) { _ = $0.string("a.text", default: "", "s") } == nil)
  }

  @Test func `a secret is never shown, whatever is wrong`() throws {
    let variables = [
      "BELFRY_BROKER_URL": "http://belfry:hunter2@broker/?heartbeat=1",
      "BELFRY_DATABASE_URL": "postgresql://u:hunter2@db",
      "BELFRY_AUTH_SECRET": "hunter2", "BELFRY_BROKER_HEARTBEAT": "soon",
    ]
    let found = try #require(
      problems(variables) {
        _ = BrokerSettings($0)
        _ = PostgresConfiguration($0)
        _ = TokenVerifierConfiguration($0)
        _ = $0.string("auth.secret", default: nil, "s", isSecret: true)
      }
    )
    #expect(found.contains("BELFRY_BROKER_URL"))
    #expect(found.contains("BELFRY_BROKER_HEARTBEAT"))
    #expect(!found.contains("hunter2"))
  }

  @Test func `documenting needs nothing and gathers every key with its default`() throws {
    let settings = Settings.documenting()
    _ = ProcessConfiguration(settings)
    _ = HealthConfiguration(settings)
    _ = BrokerSettings(settings)
    _ = PostgresConfiguration(settings)
    _ = TokenVerifierConfiguration(settings)
    // Required keys are absent, which only the documentation may overlook.
    let strict = Settings(variables: [:])
    _ = PostgresConfiguration(strict)
    #expect(throws: StartError.self) { try strict.validate() }
    let url = try #require(settings.descriptions.first { $0.key == "database.url" })
    #expect(url.variable == "BELFRY_DATABASE_URL")
    #expect(url.isSecret && url.isRequired && url.defaultValue == nil)
    let timeout = try #require(settings.descriptions.first { $0.key == "database.queryTimeout" })
    #expect(timeout.defaultValue == "30s")
    #expect(!timeout.isSecret && !timeout.isRequired)
    #expect(Set(settings.descriptions.map(\.variable)).count == settings.descriptions.count)
    #expect(settings.descriptions.allSatisfy { !$0.summary.isEmpty })
  }

  @Test func `tokens cannot be verified without any key`() {
    #expect(problems([:]) { _ = TokenVerifierConfiguration($0) }?.contains("BELFRY_AUTH_JWKS_FILE") == true)
    #expect(
      problems(["BELFRY_AUTH_SECRET": "0123456789abcdef0123456789abcdef"]) { _ = TokenVerifierConfiguration($0) } == nil
    )
  }
}
