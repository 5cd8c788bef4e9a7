import ArgumentParser
import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry send`
@Suite struct SendCommandTests {
  @Test func `what a send can have, the command line has, too`() async throws {
    try await StubGateway.with { _ in
      .init(status: 202, body: #"{"requestId":"r","status":"scheduled"}"#)
    } _: { gateway in
      let send = [
        "send", "--everyone", "--except", "a", "--type", "99", "--title", "T", "--body", "B", "--data", "x=1",
        "--about",
        "Goal:7:8", "--channel", "push", "--channel", "email", "--send-at", "2026-12-01T18:30:00+01:00", "--expires-at",
        "2026-12-02T18:30:00+01:00", "--collapse-key", "tonight", "--silent",
      ]
      let refused = try await CommandRun.run(send, at: gateway, answer: "n")
      #expect(refused.notes.contains("all who have a profile? [y/N]") && refused.failure == "Nothing was done.")
      #expect(gateway.asked.isEmpty)
      let run = try await CommandRun.run(send + ["--yes"], at: gateway)
      #expect(run.lines == ["Scheduled: request r"])
      #expect(
        gateway.asked.map(\.body) == [
          #"{"to":{"everyone":true,"except":["a"]},"type":99,"title":"T","body":"B","data":{"x":"1"},"#
            + #""relatedEntityType":"Goal","relatedEntityId":"7:8","channels":["push","email"],"#
            + #""sendAt":"2026-12-01T18:30:00+01:00","expiresAt":"2026-12-02T18:30:00+01:00","#
            + #""collapseKey":"tonight","silent":true}"#
        ]
      )
    }
  }

  @Test func `a topic and a condition are audiences`() async throws {
    try await StubGateway.with { _ in
      .init(status: 202, body: #"{"requestId":"r","status":"accepted"}"#)
    } _: { gateway in
      for audience in [["--topic", "news"], ["--condition", "'a' in topics"]] {
        let run = try await CommandRun.run(["send", "--type", "99"] + audience, at: gateway)
        #expect(run.lines == ["Accepted: request r"])
      }
      #expect(
        gateway.asked.map(\.body) == [
          #"{"to":{"topic":"news"},"type":99}"#, #"{"to":{"condition":"'a' in topics"},"type":99}"#,
        ]
      )
    }
  }

  @Test(arguments: [
    [], ["--to", "a", "--group", "g"], ["--group", "g", "--everyone"], ["--to", "a", "--except", "b"],
    ["--to", "a", "--about", "Goal"], ["--topic", "news", "--to", "a"], ["--topic", "news", "--except", "a"],
    ["--topic", "news", "--condition", "'a' in topics"],
  ])
  func `a send that is to nobody, or to two kinds of people, is refused before anybody is asked`(_ arguments: [String])
  {
    #expect(throws: (any Error).self) { try SendCommand.parse(["--type", "99"] + arguments) }
  }
}
