import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// `belfry-dev demo mails`
struct DemoMailsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "mails",
    abstract: "Lists what the simulated mail server took."
  )

  @OptionGroup var arrivals: DemoArrivalOptions

  init() {}

  func run(on console: Console) async throws {
    let mails = try await arrivals.latest(of: "mails", "mails")
    try arrivals.show(mails, as: "mails", nothing: "No mail came yet.", Self.columns, on: console)
  }

  private static let columns = [
    JSONColumn("at", "receivedAt"),
    JSONColumn("to") { ($0["recipients"]?.array ?? []).map(\.shown).joined(separator: ", ") },
    JSONColumn("subject", "subject"),
  ]
}
