import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry schedules delete`
struct ScheduleDeleteCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Ends a schedule.",
    discussion: "Nothing is sent for later dates; what has come due is a request of its own."
  )

  @OptionGroup var name: ScheduleName

  @OptionGroup var consent: Consent

  @OptionGroup var gateway: GatewayOptions

  init() {}

  func run(on console: Console) async throws {
    try consent.ask("End the schedule \(name.key)\(name.owner.map { " of \($0)" } ?? "")?", on: console)
    try await gateway.using(as: .admin) { gateway in try await gateway.call("DELETE", name.path.text) }
    try console.say("\(name.key) has ended.")
  }
}
