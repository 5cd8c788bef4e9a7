import ArgumentParser
import ConsoleCommands
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import OperatorCLI

/// `belfry bounce`
@Suite struct BounceCommandTests {
  private static let mail = "From: <>\r\nTo: bounces@example.com\r\n\r\nIt came back.\r\n"

  /// Runs it with a key.
  private static func run(
    _ url: String,
    input: String = mail,
    key: String = "belfry_key\n"
  ) async throws -> CommandRun {
    try await TemporaryDirectory.with { directory in
      try key.write(toFile: directory.file("key"), atomically: true, encoding: .utf8)
      return try await CommandRun.run(
        ["bounce", "--gateway", url, "--key-file", directory.file("key")],
        input: input
      )
    }
  }

  private static func answer(_ result: String) -> StubGateway.Answer {
    .init(
      body: #"{"recorded":0,"ignored":0,"unmatched":0,"forged":0}"#.replacing(
        #""\#(result)":0"#,
        with: #""\#(result)":1"#
      )
    )
  }

  @Test func `a mail is handed on as it is, by the key alone`() async throws {
    try await StubGateway.with { _ in
      Self.answer("recorded")
    } _: { gateway in
      let run = try await Self.run(gateway.url)
      #expect(run.failure == nil && run.lines == ["Recorded."])
      let asked = try #require(gateway.asked.first)
      #expect(asked.line == "POST /api/v1/webhooks/bounces/mail" && asked.body == Self.mail)
      #expect(asked.headers["x-api-key"] == "belfry_key" && asked.headers["content-type"] == "message/rfc822")
      #expect(asked.headers["authorization"] == nil)
    }
  }

  /// Runs it with a mail that comes as a pipe brings it.
  private static func run(_ url: String, mail: [UInt8]) async throws -> (output: String, rest: Int) {
    try await TemporaryDirectory.with { directory in
      try "belfry_key\n".write(toFile: directory.file("key"), atomically: true, encoding: .utf8)
      let pipe = Mutex(mail[...])
      let said = Mutex<[UInt8]>([])
      let console = Console(
        out: { bytes in said.withLock { $0 += bytes } },
        error: { bytes in said.withLock { $0 += bytes } },
        next: {
          pipe.withLock { rest in
            defer { rest = rest.dropFirst(65_536) }
            return Array(rest.prefix(65_536))
          }
        },
        answer: { nil }
      )
      let arguments = ["--gateway", url, "--key-file", directory.file("key")]
      try await BounceCommand.parse(arguments).run(on: console)
      return (String(decoding: said.withLock { $0 }, as: UTF8.self), pipe.withLock { $0.count })
    }
  }

  @Test func `of a mail beyond 10 MiB the beginning is handed on, where the report is, and the rest is read, too`()
    async throws
  {
    try await StubGateway.with { _ in
      Self.answer("recorded")
    } _: { gateway in
      let limit = 10 * 1_024 * 1_024
      for size in [limit, limit + 100_000] {
        let mail = Array(Self.mail.utf8) + Array(repeating: UInt8(ascii: "x"), count: size - Self.mail.utf8.count)
        let (output, rest) = try await Self.run(gateway.url, mail: mail)
        #expect(output == "Recorded.\n" && rest == 0)
        let body = try #require(gateway.asked.last).body
        #expect(body.utf8.count == limit && body.hasPrefix(Self.mail))
      }
      #expect(gateway.asked.count == 2)
    }
  }

  @Test func `the gateway's words about a mail that it refuses are printed, and the mail comes again`() async throws {
    let problem = #"{"title":"The body is too large","status":413,"detail":"at most 10485760 bytes are allowed"}"#
    try await StubGateway.with { _ in
      .init(status: 413, body: problem)
    } _: { gateway in
      let run = try await Self.run(gateway.url)
      #expect(run.failure == "\(BounceCommand.again)")
      #expect(run.notes.contains("at most 10485760 bytes are allowed"))
    }
  }

  @Test(arguments: ["ignored", "unmatched", "forged", "none"])
  func `what the gateway does nothing about is done with`(_ result: String) async throws {
    try await StubGateway.with { _ in
      Self.answer(result)
    } _: { gateway in
      let run = try await Self.run(gateway.url)
      #expect(run.failure == nil)
      #expect(run.lines.first?.hasSuffix("nothing was done.") == true)
      #expect(result != "ignored" || run.lines == ["It says nothing about an address: nothing was done."])
    }
  }

  @Test(arguments: [401, 403, 404, 413, 415, 429, 500, 502, 503])
  func `a mail that the gateway does not take is to come again`(_ status: Int) async throws {
    try await StubGateway.with { _ in
      .init(status: status)
    } _: { gateway in
      let run = try await Self.run(gateway.url)
      #expect(run.failure == "\(BounceCommand.again)")
      #expect(run.notes.contains("\(status)"))
    }
  }

  @Test func `so is one without a gateway, or without a key`() async throws {
    #expect(try await Self.run("http://127.0.0.1:1").failure == "\(BounceCommand.again)")
    #expect(try await Self.run("http://127.0.0.1:1", key: "two words").failure == "\(BounceCommand.again)")
    let run = try await CommandRun.run(
      ["bounce", "--gateway", "http://127.0.0.1:1", "--key-file", "/nowhere/key"],
      input: Self.mail
    )
    #expect(run.failure == "\(BounceCommand.again)" && run.notes.contains("/nowhere/key"))
  }

  private static func problem(_ kind: String) -> String {
    #"{"type":"urn:belfry:problem:\#(kind)","title":"The report cannot be read","status":400,"detail":"it is no mail"}"#
  }

  /// Of nginx to plain HTTP at a port of TLS, and of others.
  @Test(arguments: [
    "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>", "", "{}",
    #"{"title":"malformed","status":400}"#, #"{"type":"about:blank","title":"malformed"}"#, Self.problem("validation"),
  ])
  func `a mail that something in the gateway's place calls a bad request is to come again`(_ body: String) async throws
  {
    try await StubGateway.with { _ in
      .init(status: 400, body: body)
    } _: { gateway in
      let run = try await Self.run(gateway.url)
      #expect(run.failure == "\(BounceCommand.again)")
      #expect(run.notes.contains("400"))
    }
  }

  @Test func `what is no mail is done with: its sender, who never wrote it, gets nothing`() async throws {
    try await StubGateway.with { _ in
      .init(status: 400, body: Self.problem("malformed"))
    } _: { gateway in
      let refused = try await Self.run(gateway.url)
      #expect(refused.failure == nil && refused.notes.contains("nothing was done"))
      let empty = try await Self.run(gateway.url, input: "")
      #expect(empty.failure == nil && empty.notes.contains("empty"))
      #expect(gateway.asked.count == 1)
    }
  }

  @Test(arguments: [["bounce"], ["bounce", "--key-fil", "/etc/key"], ["bounce", "--gateway"]])
  func `a pipe with wrong options keeps its mails`(_ arguments: [String]) async throws {
    let error = await #expect(throws: (any Error).self) {
      _ = try await CommandRun.run(arguments, input: Self.mail)
    }
    let status = BelfryCommand.status(ofUsage: try #require(error), in: arguments, BelfryCommand.usageStatuses)
    #expect(status == BounceCommand.again)
  }

  @Test func `other commands, and help, end as they did`() {
    func status(_ arguments: [String]) -> ExitCode? {
      do {
        _ = try BelfryCommand.parseAsRoot(arguments)
        return nil
      } catch {
        return BelfryCommand.status(ofUsage: error, in: arguments, BelfryCommand.usageStatuses)
      }
    }
    for arguments in [["bounce", "--help"], ["suppressions", "--nonsense"], ["nonsense"]] {
      #expect(status(arguments) == nil)
    }
  }
}
