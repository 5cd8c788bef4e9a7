import ConsoleCommands
import OperatorCLI
import Settings
import TestSupport
import Testing

/// One after another: a program has one push dispatcher to check.
@Suite(.serialized) struct CheckCommandTests {
  private func check(_ arguments: [String], _ findings: [ServiceCheck.Finding]) async throws -> CommandRun {
    let reading: ServiceCheck.Reading = { _ in { _ in findings } }
    ServiceCheck.install(push: reading)
    return try await CommandRun.run(["check", "push", "--data-dir", "/nowhere"] + arguments)
  }

  private static let good = ServiceCheck.Finding(subject: "fcm", isGood: true, text: "takes pushes")
  private static let bad = ServiceCheck.Finding(subject: "apns", isGood: false, text: "says \u{1b}no")

  @Test func `all that is good is said, and the status is 0`() async throws {
    let run = try await check([], [Self.good])
    #expect(run.output == "fcm: ok: takes pushes\n")
    #expect(run.failure == nil)
  }

  @Test func `one that is not makes the status 1, and no answer steers the terminal`() async throws {
    let run = try await check([], [Self.good, Self.bad])
    #expect(run.output == "fcm: ok: takes pushes\napns: FAILED: says \\u{1b}no\n")
    #expect(run.failure != nil)
  }

  @Test func `programs get JSON`() async throws {
    let run = try await check(["--json"], [Self.bad])
    #expect(run.output.hasPrefix(#"{"findings":[{"provider":"apns","isGood":false,"text":"says "#))
    #expect(run.failure != nil)
  }

  @Test func `settings that cannot be read are named`() async throws {
    let reading: ServiceCheck.Reading = { settings in
      settings.problem("BELFRY_PUSH_SERVICE_ACCOUNT_FILE is required")
      return { _ in [] }
    }
    ServiceCheck.install(push: reading)
    let run = try await CommandRun.run(["check", "push", "--data-dir", "/nowhere"])
    #expect(run.failure?.contains("BELFRY_PUSH_SERVICE_ACCOUNT_FILE is required") == true)
  }
}
