import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry groups delete`
struct GroupDeleteCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes a group.",
    discussion: "`belfry groups members` prints who is in it, as `belfry groups put` reads it."
  )

  @OptionGroup var group: GroupArgument

  @OptionGroup var consent: Consent

  @OptionGroup var gateway: GatewayOptions

  init() {}

  func run(on console: Console) async throws {
    try consent.ask("Delete the group \(group.name)?", on: console)
    try await gateway.using(as: .service) { gateway in
      // Large ones go page by page.
      try await gateway.call("DELETE", group.path.text, timeout: .seconds(600))
    }
    try console.say("\(group.name) is deleted.")
  }
}
