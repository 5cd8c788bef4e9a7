import ArgumentParser
import ConsoleCommands

/// `belfry users remove`
struct UserRemoveCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Erases a user, and not the profile alone, as `belfry erase` does.",
    discussion: Erasure.discussion
  )

  @OptionGroup var erasure: Erasure

  init() {}

  func run(on console: Console) async throws {
    try await erasure.run(on: console)
  }
}
