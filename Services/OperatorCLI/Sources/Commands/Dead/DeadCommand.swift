public import ArgumentParser
import Broker
import ConsoleCommands
import Logging
public import NotificationQueue

/// `belfry dead`
struct DeadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dead",
    abstract: "Looks at the messages that were given up on, sends them back to work, or throws them away.",
    discussion: """
      A message is dead-lettered when it cannot be understood or keeps failing; it says why. Queues are named as the work is: \
      \(DeadQueue.names).
      """,
    subcommands: [DeadListCommand.self, DeadShowCommand.self, DeadRedriveCommand.self, DeadDiscardCommand.self]
  )

  init() {}
}

extension DeadQueue: ExpressibleByArgument {
  /// All of them, as help names them.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// What the subcommands share.
struct DeadOptions: ParsableArguments {
  @Flag(help: "Prints JSON, for programs.")
  var json = false

  @OptionGroup var stack: StackOptions

  init() {}

  /// The dead-lettered messages of a queue, with those of an earlier version.
  func letters(of queue: DeadQueue, on console: Console) async throws -> DeadLetters {
    var configuration = try await stack.read { BrokerSettings($0) }.connection
    configuration.connectionName = "belfry dead"
    let letters = DeadLetters(queue: queue, configuration: configuration, logger: .quiet)
    let adopted = try await letters.adoptFormer()
    if adopted.moved > 0 {
      try console.note("\(queue.rawValue): \(adopted.moved) moved from \(queue.formerName) to \(queue.name)")
    }
    try adopted.check()
    return letters
  }
}

extension DeadTransfer {
  /// Throws if something stayed behind.
  func check() throws(CommandFailure) {
    guard let lastRefusal else { return }
    throw CommandFailure("\(refused) stay where they are: \(lastRefusal)")
  }
}
