import ArgumentParser
import ConsoleCommands
import BelfryJSON
import NotificationQueue

/// `belfry dead redrive`
struct DeadRedriveCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "redrive",
    abstract: "Sends dead-lettered messages back to where they came from.",
    discussion: """
      A message leaves the dead-letter queue only after the broker has confirmed it in its queue, so that an interruption can \
      repeat a message but not lose one; repeated work is recognised.
      """
  )

  @OptionGroup var selection: DeadSelection

  @OptionGroup var options: DeadOptions

  init() {}

  func run(on console: Console) async throws {
    let queue = selection.queue
    let letters = try await options.letters(of: queue, on: console)
    let redriven = try await letters.redrive(selection.wanted)
    if options.json {
      var writer = JSONWriter()
      writer.object { writer in
        writer.field("queue", queue.rawValue)
        writer.field("redrivenCount", redriven.moved)
        writer.field("refusedCount", redriven.refused)
      }
      try console.json(writer.bytes)
    } else {
      try console.say("\(redriven.moved) sent back to \(queue.origin).")
    }
    try redriven.check()
    if !selection.all, redriven.moved < selection.ids.count {
      throw CommandFailure("\(selection.ids.count - redriven.moved) were not found among the dead-lettered messages")
    }
  }
}
