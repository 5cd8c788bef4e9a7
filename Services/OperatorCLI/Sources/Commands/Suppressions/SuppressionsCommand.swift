import ArgumentParser

/// `belfry suppressions`
struct SuppressionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suppressions",
    abstract: "Lists, adds and removes addresses that get no mail.",
    discussion: """
      A mail server or a provider suppresses an address that is dead (hardBounce), or whose reader called a mail spam (complaint: what may \
      be unsubscribed is not sent to it any more). You suppress one by hand (manual). It stays until you remove it.

        belfry suppressions list --reason complaint
        belfry suppressions add ann@example.org
      """,
    subcommands: [SuppressionListCommand.self, SuppressionAddCommand.self, SuppressionRemoveCommand.self]
  )

  init() {}
}
