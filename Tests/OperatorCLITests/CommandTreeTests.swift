import ArgumentParser
import ConsoleCommands
import Testing
import TestSupport

@testable import OperatorCLI

/// All commands, as help and shells know them.
@Suite struct CommandTreeTests {
  /// Each command that help lists, with its words, e.g. `["users", "show"]`.
  private static func commands(
    below command: any ParsableCommand.Type = BelfryCommand.self,
    _ words: [String] = []
  ) -> [(words: [String], type: any ParsableCommand.Type)] {
    command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { type in
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

  @Test(arguments: CompletionCommand<BelfryCommand>.Shell.allCases)
  func `a shell's script has every command, and the values that are known`(
    _ shell: CompletionCommand<BelfryCommand>.Shell
  ) async throws {
    let run = try await CommandRun.run(["completion", shell.rawValue])
    #expect(run.failure == nil)
    for (words, _) in Self.commands() { #expect(run.output.contains(words.last ?? ""), "\(words)") }
    for value in ["data-dir", "delivered", "ingest"] { #expect(run.output.contains(value), "\(value)") }
  }

  @Test func `the version is that of the changelog`() {
    #expect(BelfryCommand.configuration.version == BelfryVersion.current)
    let said = #expect(throws: (any Error).self) { _ = try BelfryCommand.parseAsRoot(["--version"]) }
    #expect(said.map { BelfryCommand.fullMessage(for: $0) } == BelfryVersion.current)
    #expect(said.map { BelfryCommand.exitCode(for: $0) } == .success)
  }

  @Test func `an option that is nearly right gets the right one`() {
    let error = #expect(throws: (any Error).self) {
      _ = try BelfryCommand.parseAsRoot(["send", "--everyone", "--grop", "g", "--type", "10"])
    }
    #expect(error.map { BelfryCommand.message(for: $0) }?.contains("Did you mean '--group'?") == true)
  }

  @Test func `a shell that is not known is refused`() async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(["completion", "cmd"]) }
  }

  @Test func `what documents show as commands are some`() throws {
    let shown = try ShownCommand.all(of: "belfry")
    #expect(shown.count > 10)
    for command in shown {
      // What moved takes any words.
      #expect(!["dev", "demo"].contains(command.arguments.first), "\(command.place)")
      #expect(throws: Never.self, "\(command.place)") { _ = try BelfryCommand.parseAsRoot(command.arguments) }
    }
  }

  @Test(arguments: [
    (["dev"], "belfry-dev run"), (["dev", "--once"], "belfry-dev run"), (["dev", "--help"], "belfry-dev run"),
    (["demo"], "belfry-dev demo"), (["demo", "switch", "fcm-down", "on"], "belfry-dev demo"),
    (["demo", "--page", "http://127.0.0.1:1"], "belfry-dev demo"), (["demo", "send", "-h"], "belfry-dev demo"),
  ])
  func `what moved to belfry-dev says so, whatever follows it`(_ words: [String], _ successor: String) async throws {
    let run = try await CommandRun.run(words)
    #expect(
      run.notes == "belfry: '\(words[0])' moved to belfry-dev: '\(successor)' takes the same arguments\n"
    )
    #expect(run.failure == "\(ExitCode(64))")
    #expect(run.output == "")
  }

  @Test func `help does not list what moved`() {
    let help = BelfryCommand.helpMessage(columns: 100)
    #expect(help.contains("\n  migrate "))
    for name in ["dev", "demo"] { #expect(!help.contains("\n  \(name) "), "\(name)") }
  }
}
