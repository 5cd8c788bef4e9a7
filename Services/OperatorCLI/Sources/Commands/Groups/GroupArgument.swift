import ArgumentParser
import ConsoleCommands

/// Which group.
struct GroupArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The group, e.g. family:demo.", valueName: "group"), transform: Identifier.name)
  var name: String

  init() {}

  var path: GatewayPath { GatewayPath("groups", name) }

  var membersPath: GatewayPath { GatewayPath("groups", name, "members") }

  func path(of member: String) -> GatewayPath { GatewayPath("groups", name, "members", member) }
}
