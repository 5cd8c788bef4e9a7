import ArgumentParser
import NotificationQueue

/// Which messages of a queue: those named, or all.
struct DeadSelection: ParsableArguments {
  @Argument(help: "One of \(DeadQueue.names).")
  var queue: DeadQueue

  @Argument(help: "Ids, as `list` prints them.")
  var ids: [String] = []

  @Flag(help: "All that are dead-lettered, instead of naming ids.")
  var all = false

  init() {}

  /// Nil means all.
  var wanted: Set<String>? { all ? nil : Set(ids) }

  func validate() throws {
    if ids.isEmpty != all { throw ValidationError("name the messages, or say --all") }
  }
}
