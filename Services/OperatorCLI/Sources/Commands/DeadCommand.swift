import ArgumentParser
import Broker
import Logging
import NotificationQueue
import ServiceRuntime

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
}

/// What the subcommands share.
struct DeadOptions: ParsableArguments {
  @OptionGroup var stack: StackOptions

  init() {}

  func admin() async throws -> BrokerAdmin {
    BrokerAdmin(configuration: try await broker(), logger: .quiet)
  }

  func broker() async throws -> BrokerConfiguration {
    var configuration = try await stack.read { BrokerSettings($0) }.connection
    configuration.connectionName = "belfry dead"
    return configuration
  }
}
