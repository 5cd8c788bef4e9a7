import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// `belfry-dev demo tap`
struct DemoTapCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "tap",
    abstract: "Taps a notification on somebody's phone, or a button on it.",
    discussion: """
      `belfry-dev demo pushes` has the notifications' ids.

        belfry-dev demo tap ella 01a1fca2-310f-7929-a921-a980b62c7fa3 --action VIEW_GOALS
      """
  )

  @Argument(
    help: "Whose phone: maria, tom or ella; with a catalogue of your own alex, kim or robin.",
    transform: Self.member
  )
  var user: DemoPerson

  @Argument(help: "The notification's id.", transform: Identifier.uuid)
  var notification: String

  @Option(help: ArgumentHelp("The button's id; without it, the notification itself.", valueName: "id"))
  var action: String?

  @OptionGroup var options: DemoOptions

  init() {}

  private static func member(_ name: String) throws -> DemoPerson {
    if let member = DemoPerson.known.first(where: { $0.name.lowercased() == name.lowercased() || $0.id == name }) {
      return member
    }
    throw ValidationError(
      "there is no '\(name)': \(DemoPerson.known.map { $0.name.lowercased() }.joined(separator: ", "))"
    )
  }

  func run(on console: Console) async throws {
    try await options.ask("POST", "/api/development/taps", on: console) { writer in
      writer.object { writer in
        writer.field("user", user.id)
        writer.field("notificationId", notification)
        writer.optionalField("action", action)
      }
    } _: { answer in
      [answer["curl"]?.string ?? "", "", answer["status"]?.shown ?? "-"]
    }
  }
}
