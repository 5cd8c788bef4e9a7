import ArgumentParser
import ConsoleCommands
import TestSupport
import Testing

@testable import Workshop

/// The commands of `belfry-dev`, as help and shells know them.
@Suite struct WorkshopCommandTests {
  @Test func `help lists its own commands, and none of belfry's`() {
    let help = WorkshopCommand.helpMessage(columns: 100)
    for name in ["run", "demo", "completion"] { #expect(help.contains("\n  \(name) "), "\(name)") }
    for name in ["send", "dead", "migrate"] { #expect(!help.contains("\n  \(name) "), "\(name)") }
  }

  @Test func `each command says what it does`() {
    for type in WorkshopCommand.configuration.subcommands + DemoCommand.configuration.subcommands {
      #expect(type.configuration.abstract.hasSuffix("."), "\(type)")
      #expect(WorkshopCommand.helpMessage(for: type, columns: 100).contains("belfry-dev "), "\(type)")
    }
  }

  @Test func `a shell's script completes its commands`() async throws {
    let run = try await CommandRun.run(["completion", "bash"], of: WorkshopCommand.self)
    #expect(run.failure == nil)
    for word in ["belfry-dev", "run", "demo", "switch", "scale"] { #expect(run.output.contains(word), "\(word)") }
  }

  @Test func `what documents show as commands are some`() throws {
    let shown = try ShownCommand.all(of: "belfry-dev")
    #expect(shown.count > 5)
    for command in shown {
      #expect(throws: Never.self, "\(command.place)") { _ = try WorkshopCommand.parseAsRoot(command.arguments) }
    }
  }

  @Test func `a run begins with a catalogue of one's own`() throws {
    let run = try #require(try WorkshopCommand.parseAsRoot(["run", "--catalogue", "my.yaml"]) as? RunCommand)
    #expect(run.catalogue == "my.yaml")
  }

  @Test(arguments: [
    ["run", "--port", "0"], ["run", "--scale", "gateway=0"], ["run", "--scale", "nobody=1"], ["dev"],
  ])
  func `what cannot be meant is refused`(_ words: [String]) {
    #expect(throws: (any Error).self) { _ = try WorkshopCommand.parseAsRoot(words) }
  }
}
