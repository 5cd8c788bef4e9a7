import ArgumentParser
import ConsoleCommands

/// Which request.
struct RequestArgument: ParsableArguments {
  @Argument(help: "The request's id.", transform: Identifier.uuid)
  var id: String

  init() {}

  var path: GatewayPath { GatewayPath("requests", id) }
}
