import ArgumentParser
import ConsoleCommands
import BelfryJSON
import NotificationQueue

/// `belfry dead discard`
struct DeadDiscardCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard",
    abstract: "Throws dead-lettered messages away.",
    discussion: """
      They are gone: nobody is told of them. With --all it is what is dead-lettered when it asks, not what comes meanwhile. It asks the broker, \
      so the audit log has no line of it; POST /api/v1/admin/dead-letters/discard of a gateway leaves one.
      """
  )

  @OptionGroup var selection: DeadSelection

  @OptionGroup var consent: Consent

  @OptionGroup var options: DeadOptions

  init() {}

  func run(on console: Console) async throws {
    try await discard(try await options.letters(of: selection.queue, on: console), on: console)
  }

  func discard(_ letters: DeadLetters, on console: Console) async throws {
    let (queue, all) = (selection.queue, selection.all)
    let count = try await count(letters)
    if count > 0 {
      try consent.ask(
        "Throw away \(all ? "all" : "\(count)") of what is dead-lettered in \(queue.name)\(all ? ", \(count) now" : "")?",
        on: console
      )
    }
    let discarded = try await letters.discard(selection.wanted, oldest: all ? count : .max).count
    if options.json {
      var writer = JSONWriter()
      writer.object { writer in
        writer.field("queue", queue.rawValue)
        writer.field("discardedCount", discarded)
      }
      try console.json(writer.bytes)
    } else {
      try console.say("\(discarded) thrown away.")
    }
    if discarded < count {
      throw CommandFailure("\(count - discarded) were not found among the dead-lettered messages")
    }
  }

  /// How many are to be thrown away.
  private func count(_ letters: DeadLetters) async throws -> Int {
    guard let wanted = selection.wanted else { return try await letters.count() ?? 0 }
    return wanted.count
  }
}
