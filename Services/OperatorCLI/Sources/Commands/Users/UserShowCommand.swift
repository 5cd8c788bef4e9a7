import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry users show`
struct UserShowCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a profile.",
    discussion: "`belfry devices` shows a user's devices, `belfry export` everything."
  )

  @OptionGroup var user: UserArgument

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.ask("GET", user.path, as: .service, on: console) { answer in answer.record }
  }
}
