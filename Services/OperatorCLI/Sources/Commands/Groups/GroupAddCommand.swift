import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation
import UserIdentity

/// `belfry groups add`
struct GroupAddCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds members to a group.",
    discussion: "Who is one already is passed over. A group comes with its first member."
  )

  @OptionGroup var group: GroupArgument

  @Argument(help: "Users' ids.", transform: Identifier.user)
  var users: [String] = []

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("A file with an id on each line; - is standard input.", valueName: "file"),
    completion: .file()
  )
  var file: String?

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if users.isEmpty == (file == nil) { throw ValidationError("name the users, or a file with --from") }
  }

  func run(on console: Console) async throws {
    let list =
      if let file { try MemberList(file, on: console) } else { MemberList(users.compactMap { UserIdentifier($0) }) }
    if let file, list.members.isEmpty { throw CommandFailure("\(Console.name(of: file)) names nobody.") }
    try await options.gateway.using(as: .service) { gateway in
      var answer = Data()
      for batch in list.batches {
        answer = try await gateway.call("POST", group.membersPath.text, timeout: .seconds(600)) {
          MemberList.write(batch, to: &$0)
        }
      }
      try options.show(answer, on: console) { [GroupShowCommand.count($0)] }
    }
  }
}
