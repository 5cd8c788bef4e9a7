import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry schedules show`
struct ScheduleShowCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a schedule, with its coming times in UTC.",
    discussion: "What --json prints can be put again with `belfry schedules put`."
  )

  @OptionGroup var name: ScheduleName

  @Option(
    help: ArgumentHelp(
      "The zone of the next times where recipients differ; the deployment's unless said.",
      valueName: "zone"
    )
  )
  var timezone: String?

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let path = name.path.with("timezone", timezone)
    try await options.ask("GET", path, as: .admin, on: console) { answer in answer.record }
  }
}
