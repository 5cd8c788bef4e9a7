import ArgumentParser
import ConsoleCommands
import JSON

/// `belfry-dev demo pushes`
struct DemoPushesCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "pushes",
    abstract: "Lists what the simulated FCM took for the people's phones and browsers."
  )

  @OptionGroup var arrivals: DemoArrivalOptions

  init() {}

  func run(on console: Console) async throws {
    try await arrivals.list("pushes", nothing: "No phone got anything yet.", Self.columns, on: console)
  }

  private static let columns = [
    JSONColumn("at", "receivedAt"),
    JSONColumn("for") { push in
      DemoPerson.known.first { $0.deviceToken == push["token"]?.string }?.name ?? push["token"]?.shown ?? "-"
    },
    JSONColumn("title") { $0["message"]?["notification"]?["title"]?.shown ?? "-" },
    JSONColumn("notification", "notificationId"),
  ]
}

/// `belfry-dev demo mails`
struct DemoMailsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "mails",
    abstract: "Lists what the simulated mail server took."
  )

  @OptionGroup var arrivals: DemoArrivalOptions

  init() {}

  func run(on console: Console) async throws {
    try await arrivals.list("mails", nothing: "No mail came yet.", Self.columns, on: console)
  }

  private static let columns = [
    JSONColumn("at", "receivedAt"),
    JSONColumn("to") { ($0["recipients"]?.array ?? []).map(\.shown).joined(separator: ", ") },
    JSONColumn("subject", "subject"),
  ]
}
