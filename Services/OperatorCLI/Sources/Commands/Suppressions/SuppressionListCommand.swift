import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry suppressions list`
struct SuppressionListCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows suppressed addresses, the newest first."
  )

  @Option(
    help: ArgumentHelp("Only this one, e.g. ann@example.org.", valueName: "address"),
    transform: Identifier.address
  )
  var address: String?

  @Option(help: ArgumentHelp("Only for this reason: hardBounce, manual or complaint.", valueName: "reason"))
  var reason: Reason?

  @OptionGroup var page: PageOptions

  @OptionGroup var options: ShowOptions

  init() {}

  enum Reason: String, CaseIterable, ExpressibleByArgument {
    case hardBounce, manual, complaint
  }

  func run(on console: Console) async throws {
    let path = page.page(
      of: GatewayPath("admin", "suppressions").with("address", address).with("reason", reason?.rawValue)
    )
    try await options.ask("GET", path, as: .admin, on: console) { answer in
      PageOptions.lines(answer, "suppressions", Self.columns, nothing: "No address is suppressed.")
    }
  }

  private static let columns: [JSONColumn] = [
    JSONColumn("address", "address"), JSONColumn("reason", "reason"), JSONColumn("since", "since"),
    JSONColumn("source", "source"), JSONColumn("user", "userId"), JSONColumn("said last", "diagnostic"),
  ]
}
