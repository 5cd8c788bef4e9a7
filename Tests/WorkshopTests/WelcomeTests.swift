import ArgumentParser
import Foundation
import BelfryJSON
import NotificationModel
import OperatorCLI
import Testing

@testable import Workshop

/// What `belfry-dev run` ends its start with.
@Suite struct WelcomeTests {
  private func welcome(_ request: Welcome.Request?, directory: String = "/home/ann/belfry/.belfry") -> Welcome {
    Welcome(
      page: "http://127.0.0.1:8082",
      gateway: "http://127.0.0.1:8080",
      hub: "http://127.0.0.1:8081/hubs/notifications",
      directory: directory,
      program: "belfry",
      request: request
    )
  }

  private let request = Welcome.Request(group: "demo:people", type: "OrderShipped", data: ["who": "it's Sam"])

  @Test func `it names page, API, hub and documents`() {
    let lines = welcome(request).text.split(separator: "\n").map(String.init)
    #expect(lines.first == "  Belfry is running. Open http://127.0.0.1:8082/")
    for line in [
      "  Page       http://127.0.0.1:8082/", "  API        http://127.0.0.1:8080/api/v1/",
      "  Hub        http://127.0.0.1:8081/hubs/notifications", "  Documents  http://127.0.0.1:8082/docs/",
    ] { #expect(lines.contains(line)) }
    // Whoever waits for the start looks for this.
    #expect(lines.contains { $0.hasPrefix("Ctrl-C stops it.") })
  }

  @Test func `three lines send the same, each a line that a shell takes whole`() throws {
    let welcome = welcome(request)
    let commands = welcome.commands
    #expect(commands.count == 3)
    #expect(commands.allSatisfy { !$0.contains("\n") && $0.contains("--data-dir /home/ann/belfry/.belfry") })
    for command in commands { #expect(welcome.text.contains("\n\(command)\n"), "\(command)") }
    #expect(commands[0].hasPrefix("curl -sS http://127.0.0.1:8080/api/v1/notifications -H "))
    #expect(commands[1].hasPrefix("belfry send --group demo:people --type OrderShipped --data 'who=it'\\''s Sam' "))
    #expect(commands[2].hasPrefix("curl -sS http://127.0.0.1:8080/api/v1/notifications/bulk -H "))
    let words = ["send", "--group", "demo:people", "--type", "OrderShipped", "--data", "who=it's Sam"]
    #expect(throws: Never.self) { _ = try BelfryCommand.parseAsRoot(words + ["--data-dir", "/x"]) }
    #expect(throws: Never.self) {
      _ = try BelfryCommand.parseAsRoot(["token", "--role", "service", "--data-dir", "/x"])
    }
  }

  @Test func `a shell reads nothing else into folders and texts`() async throws {
    let strange = Welcome.Request(group: "a b", type: "$(x)", data: ["text": "`y` \"z\" 'q'"])
    let command = try #require(welcome(strange, directory: "/tmp/it's here").commands.dropFirst().first)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "belfry() { for word in \"$@\"; do printf '%s\\n' \"$word\"; done; }; \(command)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(
      said.split(separator: "\n").map(String.init) == [
        "send", "--group", "a b", "--type", "$(x)", "--data", "text=`y` \"z\" 'q'", "--data-dir", "/tmp/it's here",
      ]
    )
  }

  @Test func `without a type there is nothing to send with`() {
    let welcome = welcome(nil)
    #expect(welcome.commands.isEmpty)
    #expect(!welcome.text.contains("Send from"))
    #expect(welcome.text.contains("Documents"))
  }

  @Test func `a program is called by its name where a shell finds it, else by its path`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-path-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["built", "bin", "other"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    for name in ["built", "other"] {
      let file = folder.appending(path: "\(name)/belfry").path
      #expect(FileManager.default.createFile(atPath: file, contents: Data(), attributes: [.posixPermissions: 0o755]))
    }
    let program = folder.appending(path: "built/belfry").path
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "bin/belfry").path,
      withDestinationPath: program
    )
    func path(_ name: String) -> String { "/nowhere:\(folder.appending(path: name).path)" }
    #expect(Welcome.call(program, path: path("bin")) == "belfry")
    #expect(Welcome.call(program, path: path("other")) == program)
    #expect(Welcome.call(program, path: "") == program)
  }
}
