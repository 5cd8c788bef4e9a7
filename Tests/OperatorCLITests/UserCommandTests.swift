import Foundation
import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry users`, `devices`, `export` and `erase`
@Suite struct UserCommandTests {
  private static let ann = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"
  private static let profile =
    #"{"id":"6f1c","email":null,"displayName":"Ann \#u{9B}31m","locale":"en","timezone":null,"notificationsEnabled":true}"#

  @Test func `a profile is shown, set and changed, and what it says steers no terminal`() async throws {
    try await StubGateway.with { _ in
      .init(body: Self.profile)
    } _: { gateway in
      let shown = try await CommandRun.run(["users", "show", Self.ann.uppercased()], at: gateway)
      #expect(shown.lines == ["id: 6f1c", #"displayName: Ann \u{9b}31m"#, "locale: en", "notificationsEnabled: yes"])
      let json = try await CommandRun.run(["users", "show", Self.ann, "--json"], at: gateway)
      #expect(json.output == Self.profile.replacing("\u{9B}", with: #"\u009b"#) + "\n")
      let profile = ["--email", "a@example.com", "--name", "Ann", "--notifications", "off"]
      #expect(try await CommandRun.run(["users", "set", Self.ann] + profile, at: gateway).failure == nil)
      let change = ["users", "patch", Self.ann, "--locale", "de", "--clear", "name", "--clear", "email"]
      #expect(try await CommandRun.run(change, at: gateway).failure == nil)
      let path = "/api/v1/users/\(Self.ann)"
      #expect(gateway.asked.map(\.line) == ["GET \(path)", "GET \(path)", "PUT \(path)", "PATCH \(path)"])
      #expect(
        gateway.asked.map(\.body) == [
          "", "", #"{"email":"a@example.com","displayName":"Ann","notificationsEnabled":false}"#,
          #"{"locale":"de","displayName":null,"email":null}"#,
        ]
      )
      #expect(gateway.asked.allSatisfy { $0.headers["authorization"] == "Bearer t" })
    }
  }

  @Test(arguments: [
    ["users", "show", "a\tb"], ["users", "patch", ann], ["users", "patch", ann, "--email", "a", "--clear", "email"],
    ["users", "patch", ann, "--clear", "id"], ["erase"], ["export", ""], ["devices", ""],
  ])
  func `what cannot be asked is refused before anybody is asked`(_ arguments: [String]) async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(arguments) }
  }

  @Test(arguments: [["erase"], ["users", "remove"]])
  func `a user is erased by who says so, and by nobody else`(_ command: [String]) async throws {
    try await StubGateway.with { _ in
      .init(status: 204, body: "")
    } _: { gateway in
      let arguments = command + [Self.ann]
      for answer in ["", "n", "nobody"] {
        let run = try await CommandRun.run(arguments, at: gateway, answer: answer)
        #expect(run.failure == "Nothing was done." && run.notes.contains("\(Self.ann)? [y/N]"))
      }
      #expect(try await CommandRun.run(arguments, at: gateway).failure?.contains("--yes") == true)
      #expect(gateway.asked.isEmpty)
      for run in [
        try await CommandRun.run(arguments, at: gateway, answer: "Y"),
        try await CommandRun.run(arguments + ["--yes"], at: gateway),
      ] { #expect(run.lines == ["Nothing is left about \(Self.ann)."]) }
      #expect(gateway.asked.map(\.line) == Array(repeating: "DELETE /api/v1/users/\(Self.ann)", count: 2))
    }
  }

  @Test func `who is not there is reported with what users go by`() async throws {
    try await StubGateway.with { _ in
      .init(status: 404, body: #"{"type":"x","title":"There is no such\u001b resource","status":404}"#)
    } _: { gateway in
      let run = try await CommandRun.run(["users", "show", Self.ann], at: gateway)
      let words = try #require(run.failure)
      #expect(words.contains("404: There is no such\\u{1b} resource\n") && words.contains("(sub)"))
      #expect(run.output.isEmpty)
    }
  }

  // MARK: Exports

  private static let export = """
    {"profile":{"id":"6f1c"},"devices":[
     {"id":"d1","platform":2,"kind":"fcm","addressKind":"fid","token":"secret","installationId":"i1","deviceName":"Pixel","appVersion":null,"isActive":true,
      "createdAt":"2026-11-21T05:44:10.609Z","lastUsedAt":"2026-11-22T05:44:10.609Z"}],
     "notifications":[{"title":"devices\\" \u{202E}"}],"isComplete":true}
    """

  private func file() -> String {
    FileManager.default.temporaryDirectory.appending(path: "belfry-export-\(UUID()).json").path
  }

  /// What else lies there under names that begin with the file's.
  private func besides(_ file: String) throws -> [String] {
    let url = URL(filePath: file)
    return try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(url.lastPathComponent) && $0 != url.lastPathComponent }
  }

  @Test func `an export follows no link that lies where it is written`() async throws {
    let (file, other) = (file(), file())
    try Data("before".utf8).write(to: URL(filePath: other))
    for name in [file, file + ".part"] {
      try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: other)
    }
    defer { for name in [file, file + ".part", other] { try? FileManager.default.removeItem(atPath: name) } }
    try await StubGateway.with { _ in
      .init(body: Self.export)
    } _: { gateway async throws in
      #expect(try await CommandRun.run(["export", Self.ann, "--output", file], at: gateway).failure == nil)
      #expect(try String(contentsOfFile: other, encoding: .utf8) == "before")
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType == .typeRegular)
    }
  }

  @Test func `an export is written as it came, for its owner alone`() async throws {
    let file = file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await StubGateway.with { _ in
      .init(body: Self.export)
    } _: { gateway in
      let run = try await CommandRun.run(["export", Self.ann, "--output", file], at: gateway)
      #expect(run.failure == nil && run.output.isEmpty && run.notes == "Written to \(file).\n")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.export)
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      #expect(try besides(file).isEmpty)
      let output = try await CommandRun.run(["export", Self.ann], at: gateway)
      #expect(output.output == Self.export.replacing("\u{202E}", with: #"\u202e"#) + "\n")
      #expect(gateway.asked.map(\.line) == Array(repeating: "GET /api/v1/users/\(Self.ann)/export", count: 2))
    }
  }

  @Test(arguments: [
    StubGateway.Answer(body: export, breaksOff: true), StubGateway.Answer(body: String(export.dropLast())),
    StubGateway.Answer(body: export.replacing(#""isComplete":true"#, with: #""isComplete": false"#)),
    StubGateway.Answer(body: ""), StubGateway.Answer(body: "[]"), StubGateway.Answer(status: 503, body: "{}"),
  ])
  func `an export that is not whole is none`(_ answer: StubGateway.Answer) async throws {
    let file = file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data("before".utf8).write(to: URL(filePath: file))
    try await StubGateway.with { _ in
      answer
    } _: { gateway async throws in
      #expect(try await CommandRun.run(["export", Self.ann, "--output", file], at: gateway).failure != nil)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
      #expect(try besides(file).isEmpty)
      #expect(try await CommandRun.run(["export", Self.ann], at: gateway).failure != nil)
    }
  }

  @Test func `devices are those of the export, in the table without their tokens`() async throws {
    // What follows the devices need not come.
    let rest = String(repeating: " ", count: 1_000_000)
    try await StubGateway.with { _ in
      .init(body: Self.export.replacing("],\n \"not", with: "],\(rest)\"not"))
    } _: {
      gateway in
      let table = try await CommandRun.run(["devices", Self.ann], at: gateway)
      #expect(table.lines.count == 2 && !table.output.contains("secret"))
      #expect(table.lines[0].split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }.first == "id")
      for cell in ["d1", "Android", "fcm", "fid", "i1", "Pixel", "yes", "2026-11-21T05:44:10.609Z"] {
        #expect(table.lines[1].contains(cell), "\(table.output)")
      }
      let json = try await CommandRun.run(["devices", Self.ann, "--json"], at: gateway)
      #expect(json.output.hasPrefix("[") && json.output.contains(#""token":"secret""#))
    }
    try await StubGateway.with { _ in
      .init(body: #"{"devices":[],"isComplete":true}"#)
    } _: { gateway async throws in
      #expect(try await CommandRun.run(["devices", Self.ann], at: gateway).lines == ["No devices."])
    }
    try await StubGateway.with { _ in
      .init(body: #"{"profile":{"devices":[]}}"#)
    } _: { gateway async throws in
      #expect(try await CommandRun.run(["devices", Self.ann], at: gateway).failure != nil)
    }
  }
}
