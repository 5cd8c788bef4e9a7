public import ArgumentParser

/// `belfry`: runs the system on a developer's machine and operates it anywhere.
public struct BelfryCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "belfry",
    abstract: "Runs, feeds and operates Belfry, the self-hosted notification system.",
    discussion: """
      `belfry dev` starts everything on this machine. The other commands work against that stack, or against any other \
      through BELFRY_DATABASE_URL, BELFRY_BROKER_URL, BELFRY_AUTH_SECRET (with BELFRY_AUTH_ISSUER and BELFRY_AUTH_AUDIENCE, where \
      the gateway has them), BELFRY_CLI_GATEWAY_URL and BELFRY_CLI_TOKEN.
      """,
    groupedSubcommands: [
      CommandGroup(
        name: "Running",
        subcommands: [DevCommand.self, MigrateCommand.self, DemoCommand.self, CompletionCommand.self]
      ),
      CommandGroup(
        name: "Sending",
        subcommands: [
          SendCommand.self, RequestsCommand.self, TypesCommand.self, PreviewCommand.self, SchedulesCommand.self,
        ]
      ),
      CommandGroup(
        name: "Directory",
        subcommands: [
          UsersCommand.self, GroupsCommand.self, DevicesCommand.self, ExportCommand.self, EraseCommand.self,
        ]
      ),
      CommandGroup(
        name: "Diagnosis",
        subcommands: [ExplainCommand.self, FindCommand.self, StatsCommand.self, DeadCommand.self]
      ),
      CommandGroup(name: "Access", subcommands: [TokenCommand.self, KeysCommand.self, AuditCommand.self]),
    ]
  )

  public init() {}

  /// Runs the command that the arguments name, and exits.
  public static func start() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      exit(withError: CommandFailure(advising: error) ?? error)
    }
  }
}
