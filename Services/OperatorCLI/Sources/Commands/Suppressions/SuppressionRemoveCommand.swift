import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry suppressions remove`
struct SuppressionRemoveCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Lets an address have mail again, whatever the reason was.",
    discussion: "If the address is dead still, the next mail to it suppresses it again."
  )

  @Argument(help: "The address, as `belfry suppressions list` shows it.", transform: Identifier.address)
  var address: String

  @OptionGroup var consent: Consent

  @OptionGroup var gateway: GatewayOptions

  init() {}

  func run(on console: Console) async throws {
    try consent.ask("Send mails to \(address) again?", on: console)
    try await gateway.using(as: .admin) { gateway in
      try await gateway.call("DELETE", GatewayPath("admin", "suppressions", address).text)
    }
    try console.say("\(address) gets mails again.")
  }
}
