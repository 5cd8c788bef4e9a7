import ArgumentParser
import ConsoleCommands

/// Whose notifications are explained.
struct RecipientArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The recipient's id.", valueName: "user"), transform: Identifier.user)
  var id: String

  init() {}
}
