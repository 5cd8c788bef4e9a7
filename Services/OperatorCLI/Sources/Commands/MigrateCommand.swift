import ArgumentParser
import ConsoleCommands
import JSON
import Logging
import NotificationStore
import Postgres

/// `belfry migrate`
struct MigrateCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings the database's schema up to date.",
    discussion: "Safe to repeat, and to run from several places at once. `belfry-dev run` does it by itself."
  )

  @Flag(help: "Prints what was applied as JSON, for programs.")
  var json = false

  @OptionGroup var stack: StackOptions

  init() {}

  func run(on console: Console) async throws {
    var configuration = try await stack.read { PostgresConfiguration($0) }
    configuration.connections = 1
    let applied = try await Database.withClient(configuration) { client, logger in
      try await Schema.migrate(client, logger: logger)
    }
    if json {
      var writer = JSONWriter()
      writer.object { $0.strings("applied", applied) }
      return try console.json(writer.bytes)
    }
    try console.say(applied.isEmpty ? "The schema is up to date." : "Applied \(applied.joined(separator: ", ")).")
  }
}
