import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry groups members`
struct GroupMembersCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "members",
    abstract: "Prints all members of a group, an id on each line.",
    discussion: "Page by page, with a thousand in each; with --json each page is a line."
  )

  @OptionGroup var group: GroupArgument

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.gateway.using(as: .service) { gateway in
      var last: String?
      repeat {
        let path = group.path.with("pageSize", 1_000).with("after", last)
        let answer = try await gateway.call("GET", path.text)
        let page = try ShowOptions.value(of: answer)
        let members = (page["members"]?.array ?? []).map(\.shown)
        if options.json {
          try console.json(answer)
        } else {
          for member in members { try console.say(member) }
        }
        last = page["hasMore"]?.boolean == true ? members.last : nil
      } while last != nil
    }
  }
}
