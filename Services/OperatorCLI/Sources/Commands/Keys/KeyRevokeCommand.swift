import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry keys revoke`
struct KeyRevokeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revokes a key.",
    discussion: "No gateway takes it any more after 30 seconds."
  )

  @Argument(help: "The key's id, as `belfry keys list` shows it.", transform: Identifier.uuid)
  var id: String

  @OptionGroup var consent: Consent

  @OptionGroup var gateway: GatewayOptions

  init() {}

  func run(on console: Console) async throws {
    try consent.ask("Revoke the key \(id)? Whoever comes with it is refused from then on.", on: console)
    try await gateway.using(as: .admin) { gateway in
      try await gateway.call("DELETE", GatewayPath("admin", "api-keys", id).text)
    }
    try console.say("\(id) is revoked.")
  }
}
