import ArgumentParser
import ConsoleCommands

/// `belfry erase`
struct EraseCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erases everything about a user.",
    discussion: Erasure.discussion
  )

  @OptionGroup var erasure: Erasure

  init() {}

  func run(on console: Console) async throws {
    try await erasure.run(on: console)
  }
}
