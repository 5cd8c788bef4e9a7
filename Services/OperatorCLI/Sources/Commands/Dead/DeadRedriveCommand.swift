import ArgumentParser
import NotificationQueue

/// `belfry dead redrive`
struct DeadRedriveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redrive",
    abstract: "Sends parked messages back to where they came from.",
    discussion: """
      A message leaves the parking place only after the broker has confirmed it in its queue, so that an interruption can \
      repeat a message but not lose one; repeated work is recognised.
      """
  )

  @Argument(help: "One of \(DeadQueue.names).")
  var queue: DeadQueue

  @Argument(help: "Ids, as `list` prints them.")
  var ids: [String] = []

  @Flag(help: "All that are parked, instead of naming ids.")
  var all = false

  @OptionGroup var options: DeadOptions

  init() {}

  func validate() throws {
    if ids.isEmpty != all { throw ValidationError("name the messages, or say --all") }
  }

  func run() async throws {
    let letters = try await options.letters(of: queue)
    let redriven = try await letters.redrive(all ? nil : Set(ids))
    print("\(redriven.moved) sent back to \(queue.origin).")
    try redriven.check()
    if !all, redriven.moved < ids.count {
      throw CommandFailure("\(ids.count - redriven.moved) were not found among the parked messages")
    }
  }
}
