import ArgumentParser
import Testing

@testable import ConsoleCommands

struct MistypedCommandTests {
  private struct Program: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tool",
      subcommands: [Send.self, Groups.self, Hidden.self]
    )
  }

  private struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "send", aliases: ["post"])
    @Option var type: String
  }

  private struct Groups: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "groups", subcommands: [Show.self, Delete.self])
  }

  private struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show")
    @Argument var name: String
  }

  private struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete")
    @Argument var name: String
  }

  private struct Hidden: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "hidden", shouldDisplay: false)
  }

  private func failure(_ arguments: [String]) throws -> (message: String, status: ExitCode) {
    let error = try #require(#expect(throws: (any Error).self) { _ = try Program.parsed(arguments) })
    return (Program.message(for: error), Program.exitCode(for: error))
  }

  @Test(arguments: [
    (["sned", "--type", "1"], "'sned' is not a command of `tool`; did you mean `tool send`?"),
    (["SEND"], "'SEND' is not a command of `tool`; did you mean `tool send`?"),
    (["group", "show", "g"], "'group' is not a command of `tool`; did you mean `tool groups`?"),
    (["groups", "shw", "g"], "'shw' is not a command of `tool groups`; did you mean `tool groups show`?"),
    (["groups", "deleet"], "'deleet' is not a command of `tool groups`; did you mean `tool groups delete`?"),
  ])
  func `a command that is nearly right gets the right one`(_ arguments: [String], _ words: String) throws {
    let failure = try failure(arguments)
    #expect(failure.message == words)
    #expect(failure.status == .validationFailure)
  }

  @Test(arguments: [
    ["nonsense"], ["groups", "nonsense"], ["hiden"], ["send", "--typ", "1"], ["send", "snd"], ["groups", "show"],
    ["--", "sned"],
  ])
  func `what is like no command, or no command's place, is refused as ever`(_ arguments: [String]) throws {
    let message = try failure(arguments).message
    #expect(!message.contains("is not a command of"), "\(message)")
    let parser = #expect(throws: (any Error).self) { _ = try Program.parseAsRoot(arguments) }
    #expect(parser.map { Program.message(for: $0) } == message)
  }

  @Test func `what is right is taken, by another name too`() throws {
    #expect(try Program.parsed(["post", "--type", "10"]) is Send)
    #expect(try Program.parsed(["groups", "show", "send"]) is Show)
  }
}
