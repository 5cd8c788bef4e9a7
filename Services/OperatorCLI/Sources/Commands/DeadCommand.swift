import ArgumentParser
import Broker
import Logging
import NotificationQueue

/// `belfry dead`
struct DeadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dead",
    abstract: "Looks at the messages that were given up on, and sends them back to work.",
    discussion: """
      A message is parked when it cannot be understood or keeps failing; it says why. Queues are named as the work is: \
      ingest, push, email.
      """,
    subcommands: [DeadListCommand.self, DeadShowCommand.self, DeadRedriveCommand.self]
  )

  init() {}
}

/// A queue whose dead letters are meant.
enum DeadQueue: String, CaseIterable, ExpressibleByArgument {
  case ingest, push, email

  /// The queue that the messages died in.
  var origin: String {
    switch self {
    case .ingest: Topology.ingestQueue
    case .push: WorkQueue.push.name
    case .email: WorkQueue.email.name
    }
  }

  /// Where they are parked.
  var name: String { Topology.deadQueue(of: origin) }

  /// Where an earlier version parked them.
  var formerName: String { Topology.formerDeadQueue(of: origin) }
}

/// What the subcommands share.
struct DeadOptions: ParsableArguments {
  @OptionGroup var stack: StackOptions

  init() {}

  /// The parked messages of a queue, with those of an earlier version.
  func letters(of queue: DeadQueue) async throws -> DeadLetters {
    var configuration = try await stack.read { BrokerSettings($0) }.connection
    configuration.connectionName = "belfry dead"
    let letters = DeadLetters(queue: queue, configuration: configuration)
    let adopted = try await letters.adoptFormer()
    if adopted.moved > 0 {
      print("\(queue.rawValue): \(adopted.moved) moved from \(queue.formerName) to \(queue.name)")
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
