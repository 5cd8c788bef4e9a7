import ArgumentParser
import ConsoleCommands
import BelfryJSON
import Logging
import NotificationStore
import Postgres

/// `belfry migrate`
struct MigrateCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings the database's schema up to date.",
    discussion: """
      Safe to repeat, and to run from several places at once. `belfry-dev run` does it by itself.

      To move services from BELFRY_CATALOGUE_FILE to versions of the catalogue:

        belfry migrate --catalogue catalogue.yaml     (version 1; then remove the setting)
      """
  )

  @Option(
    help: ArgumentHelp(
      "Makes this catalogue file version 1, unless there are versions; - is standard input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var catalogue: String?

  @Flag(help: "Prints what was applied as JSON, for programs.")
  var json = false

  @OptionGroup var stack: StackOptions

  init() {}

  func validate() throws {
    if catalogue?.isEmpty == true { throw ValidationError("--catalogue: expected a file") }
  }

  func run(on console: Console) async throws {
    var configuration = try await stack.read { PostgresConfiguration($0) }
    configuration.connections = 1
    // A file that cannot be used changes nothing.
    let first = try catalogue.map { try FirstCatalogue(file: $0, on: console) }
    for finding in first?.findings ?? [] { try console.note(finding) }
    let (applied, outcome) = try await Database.withClient(configuration) { client, logger in
      (try await Schema.migrate(client, logger: logger), try await first?.store(in: client))
    }
    if json {
      var writer = JSONWriter()
      writer.object { writer in
        writer.strings("applied", applied)
        switch outcome {
        case nil: break
        case .stored: writer.field("catalogueVersion", 1)
        case .superseded(let version): writer.field("catalogueVersion", version)
        }
      }
      return try console.json(writer.bytes)
    }
    try console.say(applied.isEmpty ? "The schema is up to date." : "Applied \(applied.joined(separator: ", ")).")
    if let first, let outcome { try console.say(first.words(outcome)) }
  }
}
