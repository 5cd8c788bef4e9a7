import ArgumentParser
import ConsoleCommands

/// `belfry explain history`
struct ExplainHistoryCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Tells what became of somebody's latest notifications, or of one.",
    discussion: "Devices are named by their ids, never by their tokens. Texts are not shown."
  )

  @OptionGroup var recipient: RecipientArgument

  @Argument(help: "A notification's id; the latest ones if none is named.", transform: Identifier.uuid)
  var id: String?

  @Option(help: ArgumentHelp("At most this many, up to 50.", valueName: "count"))
  var limit = 10

  @Option(
    help: ArgumentHelp("Only those before this notification.", valueName: "id"),
    transform: Identifier.uuid
  )
  var before: String?

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if !(1...50).contains(limit) { throw ValidationError("--limit: expected 1 to 50") }
  }

  func run(on console: Console) async throws {
    guard let id else {
      let path = GatewayPath("admin", "notifications").with("user", recipient.id).with("limit", limit)
        .with("before", before)
      return try await options.ask("GET", path, on: console) { (answer: HistoriesAnswer) in
        answer.lines(user: recipient.id)
      }
    }
    try await Self.show(id, of: recipient.id, options, on: console)
  }

  /// Tells what became of one notification.
  static func show(_ id: String, of user: String, _ options: ShowOptions, on console: Console) async throws {
    do {
      let path = GatewayPath("admin", "notifications", id).with("user", user)
      try await options.ask("GET", path, on: console) { (answer: HistoryAnswer) in answer.lines }
    } catch let refusal as GatewayRefusal where refusal.status == 404 {
      throw CommandFailure("\(user) has no notification \(id), or has it no longer")
    }
  }
}
