import ArgumentParser
import NotificationQueue

/// `belfry dead list`
struct DeadListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Counts the parked messages, and says why each of the first ones was parked.",
    discussion: "Page through many with --skip. Looking removes nothing."
  )

  @Argument(help: "Any of \(DeadQueue.names); all of them if none is named.")
  var queues: [DeadQueue] = []

  @Option(help: ArgumentHelp("At most this many of each queue are listed.", valueName: "count"))
  var limit = 20

  @Option(help: ArgumentHelp("The first of each queue are left out.", valueName: "count"))
  var skip = 0

  @OptionGroup var options: DeadOptions

  init() {}

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit: expected 1 or more") }
    if skip < 0 { throw ValidationError("--skip: expected 0 or more") }
  }

  func run() async throws {
    for queue in queues.isEmpty ? DeadQueue.allCases : queues {
      try await list(try await options.letters(of: queue)) { print($0) }
    }
  }

  func list(_ letters: DeadLetters, _ tell: (String) -> Void) async throws {
    let queue = letters.queue
    guard let count = try await letters.count() else {
      return tell("\(queue.rawValue): no such queue yet; services declare it when they start")
    }
    tell("\(queue.rawValue): \(count) parked in \(queue.name)")
    guard skip < count else { return }
    var (seen, listed) = (0, 0)
    try await letters.look { message in
      seen += 1
      guard seen > skip else { return true }
      tell("  " + message.summary)
      listed += 1
      return listed < limit
    }
    let more = count - skip - listed
    if more > 0 { tell("  \(more) more; see them with --skip \(skip + listed)") }
  }
}
