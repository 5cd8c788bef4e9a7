import ArgumentParser
import ConsoleCommands

/// Which user.
struct UserArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The user's id.", valueName: "user"), transform: Identifier.user)
  var id: String

  init() {}

  var path: GatewayPath { GatewayPath("users", id) }

  var exportPath: GatewayPath { GatewayPath("users", id, "export") }
}
