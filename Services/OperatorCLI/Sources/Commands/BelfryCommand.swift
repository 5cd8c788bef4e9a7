public import ArgumentParser
import ConsoleCommands

/// `belfry`: operates a running system.
public struct BelfryCommand: AsyncParsableCommand {
  /// A mail server drops a mail that came back if the command of its pipe fails: a mistyped option must not lose any.
  public static let usageStatuses = ["bounce": BounceCommand.again]

  public static let configuration = CommandConfiguration(
    commandName: "belfry",
    abstract: "Feeds and operates Belfry, the self-hosted notification system.",
    discussion: """
      The commands work against the system that BELFRY_DATABASE_URL, BELFRY_BROKER_URL, BELFRY_AUTH_SECRET (with \
      BELFRY_AUTH_ISSUER and BELFRY_AUTH_AUDIENCE, where the gateway has them), BELFRY_CLI_GATEWAY_URL and BELFRY_CLI_TOKEN \
      name; without these, against the one that `belfry-dev run` started in this folder.
      """,
    version: BelfryVersion.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Installing",
        subcommands: [
          MigrateCommand.self, CompletionCommand<BelfryCommand>.self, MovedDevCommand.self, MovedDemoCommand.self,
        ]
      ),
      CommandGroup(
        name: "Catalogue",
        subcommands: [InitCommand.self, CatalogueCommand.self, TypesCommand.self, PreviewCommand.self]
      ),
      CommandGroup(
        name: "Sending",
        subcommands: [
          SendCommand.self, RequestsCommand.self, SchedulesCommand.self,
        ]
      ),
      CommandGroup(
        name: "Directory",
        subcommands: [
          UsersCommand.self, GroupsCommand.self, DevicesCommand.self, SuppressionsCommand.self, ExportCommand.self,
          EraseCommand.self,
        ]
      ),
      CommandGroup(name: "Mail", subcommands: [BounceCommand.self]),
      CommandGroup(
        name: "Diagnosis",
        subcommands: [ExplainCommand.self, FindCommand.self, StatsCommand.self, DeadCommand.self, CheckCommand.self]
      ),
      CommandGroup(
        name: "Access",
        subcommands: [TokenCommand.self, KeysCommand.self, VAPIDCommand.self, AuditCommand.self]
      ),
    ]
  )

  public init() {}
}
