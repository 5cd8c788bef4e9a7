import ArgumentParser

/// `belfry explain history`
struct ExplainHistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Tells what became of somebody's latest notifications, or of one.",
    discussion: "Devices are named by their ids, never by their tokens. Texts are not shown."
  )

  @Argument(help: "The recipient's id.", transform: ExplainOptions.identifier)
  var user: String

  @Argument(help: "A notification's id; the latest ones if none is named.", transform: ExplainOptions.identifier)
  var id: String?

  @Option(help: ArgumentHelp("At most this many, up to 50.", valueName: "count"))
  var limit = 10

  @Option(
    help: ArgumentHelp("Only those before this notification.", valueName: "id"),
    transform: ExplainOptions.identifier
  )
  var before: String?

  @OptionGroup var options: ExplainOptions

  init() {}

  func validate() throws {
    if !(1...50).contains(limit) { throw ValidationError("--limit: expected 1 to 50") }
  }

  func run() async throws {
    guard let id else {
      let page = "limit=\(limit)" + (before.map { "&before=\($0)" } ?? "")
      return try await options.ask("GET", "/api/v1/admin/notifications?user=\(user)&\(page)") {
        (answer: HistoriesAnswer) in
        answer.lines(user: user)
      }
    }
    do {
      try await options.ask("GET", "/api/v1/admin/notifications/\(id)?user=\(user)") { (answer: HistoryAnswer) in
        answer.lines
      }
    } catch let refusal as GatewayRefusal where refusal.status == 404 {
      throw CommandFailure("\(user) has no notification \(id), or has it no longer")
    }
  }
}
