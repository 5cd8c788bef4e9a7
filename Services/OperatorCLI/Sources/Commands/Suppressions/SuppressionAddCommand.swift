import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry suppressions add`
struct SuppressionAddCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Suppresses an address by hand: it gets no mail at all."
  )

  @Argument(help: "The address, e.g. ann@example.org.", transform: Identifier.address)
  var address: String

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.ask("POST", GatewayPath("admin", "suppressions"), as: .admin, on: console) { answer in
      answer.record
    } body: { writer in
      writer.object { writer in
        writer.field("address", address)
        writer.field("reason", "manual")
      }
    }
  }
}
