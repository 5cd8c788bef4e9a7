import ArgumentParser

/// `belfry keys`
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Lists, makes and revokes the API keys of services.",
    discussion: """
      A backend without tokens says its key in the header X-Api-Key. To change a key, make a second one, and revoke the first when \
      it is not used any more.

        belfry keys make shop --scope send --scope read
      """,
    subcommands: [KeyListCommand.self, KeyMakeCommand.self, KeyRevokeCommand.self]
  )

  init() {}
}
