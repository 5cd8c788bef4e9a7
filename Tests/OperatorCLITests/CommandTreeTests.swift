import ArgumentParser
import Foundation
import Testing

@testable import OperatorCLI

/// All commands, as help and shells know them.
@Suite struct CommandTreeTests {
  /// Each command with its words, e.g. `["users", "show"]`.
  private static func commands(
    below command: any ParsableCommand.Type = BelfryCommand.self,
    _ words: [String] = []
  ) -> [(words: [String], type: any ParsableCommand.Type)] {
    command.configuration.subcommands.flatMap { type in
      let words = words + [type.configuration.commandName ?? "\(type)"]
      return [(words, type)] + commands(below: type, words)
    }
  }

  @Test func `each command says what it does, once`() {
    let commands = Self.commands()
    #expect(commands.count > 30)
    #expect(Set(commands.map(\.words)).count == commands.count)
    for (words, type) in commands {
      #expect(type.configuration.abstract.hasSuffix("."), "\(words)")
      #expect(BelfryCommand.helpMessage(for: type, columns: 100).contains("belfry \(words.joined(separator: " "))"))
    }
  }

  @Test(arguments: CompletionCommand.Shell.allCases)
  func `a shell's script has every command, and the values that are known`(_ shell: CompletionCommand.Shell)
    async throws
  {
    let run = try await CommandRun.run(["completion", shell.rawValue])
    #expect(run.failure == nil)
    for (words, _) in Self.commands() { #expect(run.output.contains(words.last ?? ""), "\(words)") }
    for value in ["data-dir", "delivered", "ingest"] { #expect(run.output.contains(value), "\(value)") }
  }

  @Test func `a shell that is not known is told`() async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(["completion", "cmd"]) }
  }

  @Test func `what documents show as commands are some`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    let documents = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)
    var count = 0
    for name in documents where name.hasSuffix(".md") {
      let text = try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
      for match in text.matches(of: /(?m)^belfry (.+)$/) {
        let line = match.1.replacing(/<(user|request)>/, with: "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b")
        // Up to a comment, or to where the output goes.
        let words = line.split(separator: " ").prefix { $0 != "#" && $0 != ">" }
        #expect(throws: Never.self, "\(name): \(match.0)") { _ = try BelfryCommand.parseAsRoot(words.map(String.init)) }
        count += 1
      }
    }
    #expect(count > 10)
  }
}
