import ArgumentParser
import Broker

/// `belfry dead show`
struct DeadShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows parked messages whole: reason, headers, body."
  )

  @Argument(help: "ingest, push or email.")
  var queue: DeadQueue

  @Argument(help: "The message's id, as `list` prints it; the oldest ones if none is named.")
  var id: String?

  @Option(help: ArgumentHelp("At most this many messages are looked at.", valueName: "count"))
  var limit = 100

  @OptionGroup var options: DeadOptions

  init() {}

  func run() async throws {
    let wanted = id
    let found = try await options.admin().withMessages(queue: queue.name, limit: limit) { fetch in
      fetch.messages.map { DeadMessage($0) }.filter { wanted == nil || $0.id == wanted }.map(\.details)
    }
    if found.isEmpty {
      throw CommandFailure(wanted.map { "no parked message \($0) among the first \(limit)" } ?? "nothing is parked")
    }
    print(found.joined(separator: "\n\n"))
  }
}
