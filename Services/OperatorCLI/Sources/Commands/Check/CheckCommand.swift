import ArgumentParser

/// `belfry check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds out whether providers take what Belfry would send, before it does.",
    discussion: "`belfry catalogue check` looks at a catalogue file.",
    subcommands: [CheckPushCommand.self, CheckMailCommand.self]
  )

  init() {}
}
