import ArgumentParser
import ConsoleCommands

/// Which schedule.
struct ScheduleName: ParsableArguments {
  @Argument(help: "The schedule's key.", transform: Identifier.name)
  var key: String

  @Option(help: ArgumentHelp("Whose it is; the token's subject unless said.", valueName: "subject"))
  var owner: String?

  init() {}

  var path: GatewayPath { GatewayPath("schedules", key).with("owner", owner) }
}
