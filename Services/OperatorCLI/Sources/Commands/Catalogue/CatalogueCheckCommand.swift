import ArgumentParser
import ConsoleCommands

/// `belfry catalogue check`
struct CatalogueCheckCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds what is wrong with a catalogue file. No gateway is asked.",
    discussion: """
      Each problem has a line of its own: file:line:column: path: message. The exit status is 0 for a good file, else 1. \
      `belfry types --check` is another name of it.
      """
  )

  @Argument(help: "A catalogue file (YAML, or JSON); - is standard input.", completion: .file())
  var file: String

  init() {}

  func run(on console: Console) async throws {
    let result = CatalogueCheck(file: file, on: console)
    for line in result.lines { try console.say(line) }
    guard result.isGood else { throw ExitCode.failure }
  }
}
