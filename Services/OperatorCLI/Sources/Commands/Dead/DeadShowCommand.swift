import ArgumentParser
import NotificationQueue

/// `belfry dead show`
struct DeadShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows parked messages whole: reason, headers, body."
  )

  @Argument(help: "One of \(DeadQueue.names).")
  var queue: DeadQueue

  @Argument(help: "The message's id, as `list` prints it; the oldest ones if none is named.")
  var id: String?

  @Option(help: ArgumentHelp("At most this many messages are shown.", valueName: "count"))
  var limit = 100

  @OptionGroup var options: DeadOptions

  init() {}

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit: expected 1 or more") }
  }

  func run() async throws {
    let wanted = id
    var shown = 0
    try await options.letters(of: queue).look { message in
      guard wanted == nil || message.id == wanted else { return true }
      print(shown == 0 ? message.details : "\n" + message.details)
      shown += 1
      return shown < limit
    }
    if shown == 0 { throw CommandFailure(wanted.map { "no parked message \($0)" } ?? "nothing is parked") }
  }
}
