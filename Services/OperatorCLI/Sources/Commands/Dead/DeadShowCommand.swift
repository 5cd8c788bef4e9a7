import ArgumentParser
import ConsoleCommands
import BelfryJSON
import NotificationQueue

/// `belfry dead show`
struct DeadShowCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows dead-lettered messages whole: reason, headers, body.",
    discussion: "With --json each is a line; a body that is no text is in Base64."
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

  func run(on console: Console) async throws {
    let wanted = id
    var shown = 0
    // Looking is not to be stopped half-way by whoever reads the output.
    var failure: (any Error)?
    try await options.letters(of: queue, on: console).look { message in
      guard wanted == nil || message.id == wanted else { return true }
      do {
        try show(message, isFirst: shown == 0, on: console)
      } catch {
        failure = error
        return false
      }
      shown += 1
      return shown < limit
    }
    if let failure { throw failure }
    if shown == 0 {
      throw CommandFailure(wanted.map { "no dead-lettered message \($0)" } ?? "nothing is dead-lettered")
    }
  }

  private func show(_ message: DeadMessage, isFirst: Bool, on console: Console) throws {
    guard !options.json else { return try console.json(message.json) }
    try console.say(isFirst ? message.details : "\n" + message.details, except: ["\n", "\t"])
  }
}
