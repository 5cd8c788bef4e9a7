import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation

/// `belfry groups put`
struct GroupPutCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "put",
    abstract: "Makes those of a file the members of a group, no more and no fewer.",
    discussion: """
      The file is read whole before anything is sent. More than \(MemberList.batch) take several calls: in between the group has \
      only the first.
      """
  )

  @OptionGroup var group: GroupArgument

  @Argument(help: "A file with an id on each line; without it, standard input.", completion: .file())
  var file = "-"

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let list = try MemberList(file, on: console)
    if list.members.isEmpty {
      let delete = CallerOptions.current.gateway("belfry groups delete \(CallerOptions.quoted(group.name))")
      throw CommandFailure("\(Console.name(of: file)) names nobody. A group without members is gone: `\(delete)`.")
    }
    try await options.gateway.using(as: .service) { gateway in
      var answer = Data()
      for (number, batch) in list.batches.enumerated() {
        let path = number == 0 ? group.path : group.membersPath
        answer = try await gateway.call(number == 0 ? "PUT" : "POST", path.text, timeout: .seconds(600)) {
          MemberList.write(batch, to: &$0)
        }
      }
      try options.show(answer, on: console) { [GroupShowCommand.count($0)] }
    }
  }
}
