import ArgumentParser
import Broker
import NotificationQueue

/// `belfry dead list`
struct DeadListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Counts the parked messages, and says why each of the first ones was parked."
  )

  @Argument(help: "ingest, push or email; all of them if none is named.")
  var queues: [DeadQueue] = []

  @Option(help: ArgumentHelp("At most this many of each queue are looked at.", valueName: "count"))
  var limit = 20

  @OptionGroup var options: DeadOptions

  init() {}

  func validate() throws {
    if !(1...10_000).contains(limit) { throw ValidationError("--limit: expected 1 to 10000") }
  }

  func run() async throws {
    let admin = try await options.admin()
    for queue in queues.isEmpty ? DeadQueue.allCases : queues {
      for line in try await lines(of: queue, admin) { print(line) }
    }
  }

  private func lines(of queue: DeadQueue, _ admin: BrokerAdmin) async throws -> [String] {
    guard let depth = try await depth(of: queue, admin) else {
      return ["\(queue.rawValue): no such queue yet; services declare it when they start"]
    }
    let heading = "\(queue.rawValue): \(depth) parked in \(queue.name)"
    guard depth > 0 else { return [heading] }
    let lines = try await admin.withMessages(queue: queue.name, limit: min(limit, depth)) { fetch in
      fetch.messages.map { "  " + DeadMessage($0).summary }
    }
    return [heading] + lines
  }

  /// `nil`: there is no such queue.
  private func depth(of queue: DeadQueue, _ admin: BrokerAdmin) async throws(BrokerError) -> Int? {
    do {
      return try await admin.depth(of: queue.name)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }
}
