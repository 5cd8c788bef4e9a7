import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry groups show`
struct GroupShowCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Tells how many members a group has, and a page of them.",
    discussion: "`belfry groups members` prints them all."
  )

  @OptionGroup var group: GroupArgument

  @Option(help: ArgumentHelp("At most this many members, up to 1000.", valueName: "count"))
  var limit = 20

  @Option(help: ArgumentHelp("Only those after this member.", valueName: "user"), transform: Identifier.user)
  var after: String?

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if !(1...1_000).contains(limit) { throw ValidationError("--limit: expected 1 to 1000") }
  }

  func run(on console: Console) async throws {
    let path = group.path.with("pageSize", limit).with("after", after)
    try await options.ask("GET", path, as: .service, on: console) { answer in
      let members = (answer["members"]?.array ?? []).map(\.shown)
      let more = answer["hasMore"]?.boolean == true ? ["There are more: --after \(members.last ?? "?")"] : []
      return [Self.count(answer)] + members.map { "  \($0)" } + more
    }
  }

  /// How many members a group has, as the gateway answers it.
  static func count(_ answer: JSONValue) -> String {
    let count = answer["memberCount"]
    return "\(answer["id"]?.shown ?? "?"): \(count?.shown ?? "?") \(count?.integer == 1 ? "member" : "members")"
  }
}
