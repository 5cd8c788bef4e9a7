import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry groups remove`
struct GroupRemoveCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes members from a group.",
    discussion: "Who is none is passed over. A group goes with its last member."
  )

  @OptionGroup var group: GroupArgument

  @Argument(help: "Users' ids.", transform: Identifier.user)
  var users: [String]

  @OptionGroup var gateway: GatewayOptions

  init() {}

  func run(on console: Console) async throws {
    try await gateway.using(as: .service) { gateway in
      for user in users { try await gateway.call("DELETE", group.path(of: user).text) }
    }
    try console.say("\(users.count) removed from \(group.name).")
  }
}
