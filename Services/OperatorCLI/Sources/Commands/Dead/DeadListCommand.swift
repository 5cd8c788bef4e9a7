import ArgumentParser
import ConsoleCommands
import BelfryJSON
import NotificationQueue

/// `belfry dead list`
struct DeadListCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Counts the dead-lettered messages, and says why each of the first ones was dead-lettered.",
    discussion: "Page through many with --skip. Looking removes nothing. With --json each queue is a line."
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

  func run(on console: Console) async throws {
    for queue in queues.isEmpty ? DeadQueue.allCases : queues {
      let letters = try await options.letters(of: queue, on: console)
      if options.json {
        try console.json(try await page(of: letters).json)
      } else {
        for line in try await page(of: letters).lines { try console.say(line) }
      }
    }
  }

  func page(of letters: DeadLetters) async throws -> DeadPage {
    var page = DeadPage(queue: letters.queue, count: try await letters.count(), skipped: skip)
    guard let count = page.count, skip < count else { return page }
    var seen = 0
    try await letters.look { message in
      seen += 1
      guard seen > skip else { return true }
      page.entries.append(.init(message))
      return page.entries.count < limit
    }
    return page
  }
}
