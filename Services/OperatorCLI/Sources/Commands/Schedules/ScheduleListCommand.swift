import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry schedules list`
struct ScheduleListCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows everybody's schedules, by owner and key."
  )

  @Option(help: ArgumentHelp("Only this owner's.", valueName: "subject"))
  var owner: String?

  @Option(
    help: ArgumentHelp(
      "The zone of the next time where recipients differ; the deployment's unless said.",
      valueName: "zone"
    )
  )
  var timezone: String?

  @OptionGroup var page: PageOptions

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let path = page.page(of: GatewayPath("admin", "schedules")).with("owner", owner).with("timezone", timezone)
    try await options.ask("GET", path, as: .admin, on: console) { answer in
      PageOptions.lines(answer, "schedules", Self.columns, nothing: "No schedules.")
    }
  }

  private static let columns: [JSONColumn] = [
    JSONColumn("owner", "owner"), JSONColumn("key", "key"), JSONColumn("when", Self.timing),
    JSONColumn("type") { ($0["type"] ?? $0["template"])?.shown ?? "-" },
    // A list does not look for what is far away.
    JSONColumn("next") { $0["next"]?.array?.first?.shown ?? ($0["nextIsComplete"]?.boolean == false ? "?" : "-") },
  ]

  /// When it comes, in the words of its definition.
  private static func timing(_ schedule: JSONValue) -> String {
    if let instant = schedule["sendAt"] { return "at \(instant.shown)" }
    let what =
      if let rule = schedule["recurrence"] { rule.shown } else if let due = schedule["due"] {
        "around \(due.shown)"
      } else {
        "as its template says"
      }
    let time = [schedule["time"], schedule["timezone"]].compactMap { $0?.shown }
    return ([what] + time).joined(separator: " ")
  }
}
