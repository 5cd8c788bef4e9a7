import ArgumentParser
import Broker
import Logging
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

  @Argument(help: "ingest, push or email.")
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
    let redrive = DeadRedrive(
      configuration: try await options.broker(),
      queue: queue,
      ids: all ? nil : Set(ids)
    )
    let count = try await redrive.run()
    print("\(count) sent back to \(queue.origin).")
    if !all, count < ids.count {
      throw CommandFailure("\(ids.count - count) were not found among the parked messages")
    }
  }
}
