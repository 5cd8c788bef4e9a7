import Broker
import NotificationQueue
import Postgres

/// What routers have made so far.
struct RouterTally: Sendable {
  /// Notifications in all inboxes.
  var stored: Int
  /// Notifications that were to be pushed.
  var pushes: Int
  /// What waits for its time on some channel.
  var held: Int
  /// Messages that no router could do anything with.
  var deadLettered: Int
}

extension Bench {
  /// Notifications in all inboxes.
  func stored() async throws -> Int {
    try await number("SELECT coalesce(sum(seq), 0)::int8 FROM inbox")
  }

  func routerTally() async throws -> RouterTally {
    RouterTally(
      stored: try await stored(),
      pushes: try await number("SELECT count(*) FROM notifications WHERE push = 0"),
      held: try await number("SELECT count(*) FROM held"),
      deadLettered: try await admin.depth(of: Topology.deadQueue(of: Topology.ingestQueue))
    )
  }

  private func number(_ query: SQLQuery) async throws -> Int {
    guard let row = try await database.query(query).first else { throw BenchError("no answer to \(query)") }
    return try row.get(0)
  }
}
