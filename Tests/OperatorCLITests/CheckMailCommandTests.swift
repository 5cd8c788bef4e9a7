import ConsoleCommands
import OperatorCLI
import Settings
import Synchronization
import TestSupport
import Testing

/// One after another: a program has one email dispatcher to check.
@Suite(.serialized) struct CheckMailCommandTests {
  private typealias Finding = ServiceCheck.MailFinding

  private func check(_ arguments: [String], _ findings: [ServiceCheck.MailFinding]) async throws -> CommandRun {
    let reading: ServiceCheck.MailReading = { _, _ in { _ in findings } }
    ServiceCheck.install(mail: reading)
    return try await CommandRun.run(["check", "mail", "--data-dir", "/nowhere"] + arguments)
  }

  private static let good = Finding(subject: "spf", verdict: .good, text: "lets it send", advice: nil)
  private static let note = Finding(subject: "dmarc", verdict: .note, text: "asks for nothing", advice: "ask for more")
  private static let bad = Finding(subject: "ptr", verdict: .bad, text: "is \u{1b}none", advice: "publish \u{1b}one")

  @Test func `notes say what to do, and fail nothing`() async throws {
    let run = try await check([], [Self.good, Self.note])
    #expect(run.output == "spf: ok: lets it send\ndmarc: note: asks for nothing\n  -> ask for more\n")
    #expect(run.failure == nil)
  }

  @Test func `what fails makes the status 1, and no record steers the terminal`() async throws {
    let run = try await check([], [Self.bad, Self.good])
    #expect(run.output == "ptr: FAILED: is \\u{1b}none\n  -> publish \\u{1b}one\nspf: ok: lets it send\n")
    #expect(run.failure != nil)
  }

  @Test func `programs get JSON`() async throws {
    let run = try await check(["--json"], [Self.good, Self.note])
    #expect(
      run.output
        == #"{"findings":[{"subject":"spf","verdict":"ok","text":"lets it send"},"#
        + #"{"subject":"dmarc","verdict":"note","text":"asks for nothing","advice":"ask for more"}]}"# + "\n"
    )
    #expect(run.failure == nil)
    #expect(try await check(["--json"], [Self.bad]).output.contains(#""verdict":"failed""#))
  }

  @Test func `what the operator knows of the mail server is handed on`() async throws {
    let given = Mutex<ServiceCheck.MailOptions?>(nil)
    let reading: ServiceCheck.MailReading = { _, options in
      given.withLock { $0 = options }
      return { _ in [] }
    }
    let arguments = [
      "--address", "203.0.113.7", "--address", "2001:db8::7", "--selector", "s1", "--resolver", "9.9.9.9",
    ]
    ServiceCheck.install(mail: reading)
    let run = try await CommandRun.run(["check", "mail", "--data-dir", "/nowhere"] + arguments)
    #expect(run.failure == nil)
    let options = given.withLock(\.self)
    #expect(options?.addresses == ["203.0.113.7", "2001:db8::7"])
    #expect(options?.selectors == ["s1"] && options?.resolver == "9.9.9.9")
  }

  @Test func `settings and options that cannot be read are named`() async throws {
    let reading: ServiceCheck.MailReading = { settings, _ in
      settings.problem("--address: expected an IP address, got 'x'")
      return { _ in [] }
    }
    ServiceCheck.install(mail: reading)
    let run = try await CommandRun.run(["check", "mail", "--data-dir", "/nowhere", "--address", "x"])
    #expect(run.failure?.contains("--address: expected an IP address, got 'x'") == true)
  }
}
