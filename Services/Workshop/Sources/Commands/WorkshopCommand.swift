public import ArgumentParser
import ConsoleCommands

/// `belfry-dev`: what develops Belfry and shows it, and is part of no installation.
public struct WorkshopCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "belfry-dev",
    abstract: "Runs all of Belfry on this machine, with simulated providers and a demo family.",
    discussion: """
      `belfry-dev run` starts everything; `belfry`, which has to be beside this program, are its services. The commands of both \
      programs then work against that system.
      """,
    version: BelfryVersion.current,
    subcommands: [RunCommand.self, DemoCommand.self, CompletionCommand<WorkshopCommand>.self]
  )

  public init() {}
}
