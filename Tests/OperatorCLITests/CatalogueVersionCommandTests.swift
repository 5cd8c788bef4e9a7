import Foundation
import TestSupport
import Testing

@testable import OperatorCLI

/// `belfry catalogue`
@Suite struct CatalogueVersionCommandTests {
  private static let changes = #"[{"kind":"typeRemoved","name":"Dinner","text":"Type 900 Dinner is gone."}]"#
  private static let planned = #"{"version":null,"appliedAt":null,"changes":\#(changes)}"#
  private static let applied = #"{"version":8,"appliedAt":"2026-11-21T05:44:10.609Z","changes":\#(changes)}"#

  /// A gateway where version 7 is in force, and an attempt makes the eighth.
  private static func reply(_ question: StubGateway.Question) -> StubGateway.Answer {
    question.path.contains("dryRun=true")
      ? .init(body: planned, headers: ["ETag": "\"7\""]) : .init(body: applied, headers: ["ETag": "\"8\""])
  }

  private func file(_ text: String, _ name: String = "yaml", _ body: (String) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-catalogue-\(UUID()).\(name)").path
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await body(file)
  }

  @Test func `apply says what changes, asks, and applies in the place of what it looked at`() async throws {
    try await StubGateway.with(Self.reply) { gateway in
      try await file("version: 1\n") { file in
        let run = try await CommandRun.run(["catalogue", "apply", file], at: gateway, answer: "y")
        #expect(
          run.lines == [
            "- Type 900 Dinner is gone.",
            "Version 8 is in force. Gateways, routers and in-app nodes take it within five seconds.",
          ]
        )
        #expect(run.notes == "Apply \(file)? [y/N] ")
      }
      #expect(
        gateway.asked.map(\.line) == ["PUT /api/v1/admin/catalogue?dryRun=true", "PUT /api/v1/admin/catalogue"]
      )
      #expect(gateway.asked.map(\.body) == ["version: 1\n", "version: 1\n"])
      #expect(gateway.asked.map { $0.headers["content-type"] } == ["application/yaml", "application/yaml"])
      #expect(gateway.asked.map { $0.headers["if-match"] } == [nil, "\"7\""])
    }
  }

  @Test(arguments: [("n", "Nothing was done."), (nil, "Nobody is there to be asked: say --yes.")])
  func `nothing is applied unless somebody says yes`(_ answer: String?, _ failure: String) async throws {
    try await StubGateway.with(Self.reply) { gateway in
      try await file("version: 1\n") { file in
        let run = try await CommandRun.run(["catalogue", "apply", file], at: gateway, answer: answer)
        #expect(run.failure == failure)
      }
      #expect(gateway.asked.count == 1)
    }
  }

  @Test func `diff and a dry run only ask, and a file in JSON is sent as such`() async throws {
    try await StubGateway.with(Self.reply) { gateway in
      try await file("{}", "json") { file in
        for command in [["diff", file], ["apply", file, "--dry-run"]] {
          let run = try await CommandRun.run(["catalogue"] + command, at: gateway)
          #expect(run.lines == ["- Type 900 Dinner is gone."])
        }
        let run = try await CommandRun.run(["catalogue", "diff", file, "--json"], at: gateway)
        #expect(run.output == Self.planned + "\n")
      }
      #expect(gateway.asked.allSatisfy { $0.line == "PUT /api/v1/admin/catalogue?dryRun=true" })
      #expect(gateway.asked.allSatisfy { $0.headers["content-type"] == "application/json" })
    }
  }

  @Test func `with json the output is the answer alone`() async throws {
    try await StubGateway.with(Self.reply) { gateway in
      try await file("version: 1\n") { file in
        let run = try await CommandRun.run(["catalogue", "apply", file, "--yes", "--json"], at: gateway)
        #expect(run.output == Self.applied + "\n")
        #expect(run.notes == "- Type 900 Dinner is gone.\n")
      }
    }
  }

  @Test func `each problem that the gateway finds is a line with its place in the file`() async throws {
    let refusal = #"""
      {"type":"urn:belfry:problem:validation","title":"The catalogue is invalid","status":400,"errors":[],"problems":[
      {"line":3,"column":5,"path":"types[0] (Dinner).title","message":"is required"},
      {"line":null,"column":null,"path":"","message":"there are 7 problems beside these"}]}
      """#
    try await StubGateway.with { _ in
      .init(status: 400, body: refusal)
    } _: { gateway in
      try await file("version: 1\n") { file in
        let run = try await CommandRun.run(["catalogue", "diff", file], at: gateway)
        #expect(run.failure != nil)
        #expect(
          run.lines == [
            "\(file):3:5: types[0] (Dinner).title: is required", "\(file): there are 7 problems beside these",
          ]
        )
      }
    }
  }

  @Test func `a file that is in force already is said to be`() async throws {
    try await StubGateway.with { _ in
      .init(body: #"{"version":7,"appliedAt":null,"changes":[]}"#, headers: ["ETag": "\"7\""])
    } _: { gateway in
      try await file("version: 1\n") { file in
        let run = try await CommandRun.run(["catalogue", "apply", file, "--yes"], at: gateway)
        #expect(
          run.lines == ["Nothing changes for anybody.", "It is in force already, as version 7: nothing was done."]
        )
      }
    }
  }

  @Test func `a file that is larger than a catalogue may be is not sent`() async throws {
    try await StubGateway.with(Self.reply) { gateway in
      try await file(String(repeating: "#", count: 1_048_577)) { file in
        let run = try await CommandRun.run(["catalogue", "diff", file], at: gateway)
        #expect(run.failure?.contains("more than 1048576 bytes") == true)
      }
      #expect(gateway.asked.isEmpty)
    }
  }

  @Test func `rollback looks first as well`() async throws {
    try await StubGateway.with(Self.reply) { gateway in
      let run = try await CommandRun.run(["catalogue", "rollback", "3", "--yes"], at: gateway)
      #expect(run.lines.last?.hasPrefix("Version 8 is in force.") == true)
      #expect(
        gateway.asked.map(\.line) == [
          "POST /api/v1/admin/catalogue/versions/3/rollback?dryRun=true",
          "POST /api/v1/admin/catalogue/versions/3/rollback",
        ]
      )
      #expect(gateway.asked.last?.headers["if-match"] == "\"7\"")
    }
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(["catalogue", "rollback", "0"]) }
  }

  @Test func `a version is shown as it was applied, and written byte for byte`() async throws {
    let text = "# one\nversion: 1\n"
    try await StubGateway.with { _ in
      .init(body: text)
    } _: { gateway in
      #expect(try await CommandRun.run(["catalogue", "show"], at: gateway).output == text)
      let path = FileManager.default.temporaryDirectory.appending(path: "belfry-shown-\(UUID()).yaml").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let run = try await CommandRun.run(["catalogue", "show", "3", "--output", path], at: gateway)
      #expect(run.output == "" && run.notes == "Written to \(path).\n")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      #expect(
        gateway.asked.map(\.line) == ["GET /api/v1/admin/catalogue", "GET /api/v1/admin/catalogue/versions/3"]
      )
      #expect(gateway.asked.allSatisfy { $0.headers["accept"] == "application/yaml" })
    }
  }

  @Test func `a version has all of its changes`() async throws {
    let changes = (1...3).map { #"{"kind":"typeAdded","name":"T\#($0)","text":"Type \#($0) is new."}"# }
    let version =
      #"{"version":7,"appliedAt":"a","appliedBy":"ops","rollbackOf":3,"changes":[\#(changes.joined(separator: ","))]}"#
    try await StubGateway.with { _ in
      .init(body: #"{"versions":[\#(version)],"hasMore":true,"next":"7"}"#)
    } _: { gateway in
      let run = try await CommandRun.run(["catalogue", "versions", "7"], at: gateway)
      #expect(
        run.lines == [
          "Version 7 as version 3 was, applied by ops at a", "- Type 1 is new.", "- Type 2 is new.", "- Type 3 is new.",
        ]
      )
      #expect(try await CommandRun.run(["catalogue", "versions", "7", "--json"], at: gateway).output == version + "\n")
      #expect(gateway.asked.map(\.line).first == "GET /api/v1/admin/catalogue/versions?after=8&pageSize=1")
      let missing = try await CommandRun.run(["catalogue", "versions", "8"], at: gateway)
      #expect(missing.failure?.hasPrefix("There is no version 8: `belfry catalogue versions --gateway ") == true)
    }
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(["catalogue", "versions", "0"]) }
  }

  @Test func `versions are a table, the newest first`() async throws {
    let answer = #"""
      {"versions":[{"version":8,"appliedAt":"b","appliedBy":"ops","rollbackOf":3,"changes":[]},
      {"version":7,"appliedAt":"a","appliedBy":"ops","rollbackOf":null,"changes":[{"kind":"typeRemoved","name":"D","text":"Gone."},
      {"kind":"typeAdded","name":"E","text":"New."}]}],"hasMore":true,"next":"7"}
      """#
    try await StubGateway.with { _ in
      .init(body: answer)
    } _: { gateway in
      let run = try await CommandRun.run(["catalogue", "versions", "--limit", "2"], at: gateway)
      #expect(
        run.cells == [
          ["version", "applied", "by", "rollback of", "changes"], ["8", "b", "ops", "3", "none"],
          ["7", "a", "ops", "-", "Gone. (and 1 more)"], ["There are more: --after 7"],
        ]
      )
      #expect(gateway.asked.map(\.line) == ["GET /api/v1/admin/catalogue/versions?pageSize=2"])
    }
  }

  @Test func `check asks no gateway and ends with 1 for a bad file`() async throws {
    try await file("version: 1\nevents: [{ name: A, argument: [b] }]\n") { file in
      let bad = try await CommandRun.run(["catalogue", "check", file])
      #expect(bad.failure != nil && bad.lines.count == 1)
      #expect(bad.lines.first?.hasPrefix("\(file):") == true)
      let other = try await CommandRun.run(["types", "--check", file])
      #expect(other.lines == bad.lines)
    }
    try await file("version: 1\nevents: [{ name: TableIsSet }]\n") { file in
      let good = try await CommandRun.run(["catalogue", "check", file])
      #expect(good.failure == nil && good.lines.last?.hasPrefix("\(file): good; ") == true)
    }
  }
}
