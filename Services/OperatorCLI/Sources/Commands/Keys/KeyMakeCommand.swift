public import ArgumentParser
public import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry keys make`
struct KeyMakeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Makes a key, and shows it this once."
  )

  @Argument(help: "Whose it is, e.g. shop.", transform: Identifier.name)
  var name: String

  @Option(help: "What the bearer may do; may be repeated; send unless said.")
  var scope: [Scope] = []

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.ask("POST", GatewayPath("admin", "api-keys"), as: .admin, on: console) { answer in
      answer.record + ["Keep the key now: only its hash is stored."]
    } body: { writer in
      writer.object { writer in
        writer.field("name", name)
        if !scope.isEmpty { writer.strings("scopes", Scope.allCases.filter(scope.contains).map(\.rawValue)) }
      }
    }
  }
}

extension Scope: ExpressibleByArgument {}
