import ArgumentParser
import Broker
import Logging
import NotificationModel
import NotificationQueue

/// `belfry dead`
struct DeadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dead",
    abstract: "Looks at the messages that were given up on, and sends them back to work.",
    discussion: """
      A message is parked when it cannot be understood or keeps failing; it says why. Queues are named as the work is: \
      \(DeadQueue.names).
      """,
    subcommands: [DeadListCommand.self, DeadShowCommand.self, DeadRedriveCommand.self]
  )

  init() {}
}

/// A queue whose dead letters are meant.
struct DeadQueue: RawRepresentable, CaseIterable, Hashable, Sendable, ExpressibleByArgument {
  /// As commands name it.
  let rawValue: String
  /// The queue that the messages died in.
  let origin: String

  private init(_ name: String, origin: String) {
    rawValue = name
    self.origin = origin
  }

  init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  static let ingest = DeadQueue("ingest", origin: Topology.ingestQueue)

  static let allCases = [ingest] + WorkQueue.allCases.map { DeadQueue($0.channel.name, origin: $0.name) }

  /// All of them, as help names them.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

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
