import ArgumentParser
import Logging
import NotificationStore
import Postgres

/// `belfry migrate`
struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings the database's schema up to date.",
    discussion: "Safe to repeat, and to run from several places at once. `belfry dev` does it by itself."
  )

  @OptionGroup var stack: StackOptions

  init() {}

  func run() async throws {
    var configuration = try await stack.read { PostgresConfiguration($0) }
    configuration.connections = 1
    let applied = try await Database.withClient(configuration) { client, logger in
      try await Schema.migrate(client, logger: logger)
    }
    print(applied.isEmpty ? "The schema is up to date." : "Applied \(applied.joined(separator: ", ")).")
  }
}
