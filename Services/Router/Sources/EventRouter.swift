import NotificationModel
import NotificationQueue
import NotificationStore

/// Passes events on to the in-app nodes, for whom they concern at this moment. Nothing is stored: a repetition tells twice.
struct EventRouter {
  let groups: GroupStore
  /// Members of a group taken at once.
  let chunkSize: Int
  /// Publishes; returns once the broker has confirmed it.
  let tell: @Sendable ([(shard: Shard, message: RealtimeMessage)]) async throws -> Void

  /// Returns once the broker has confirmed what there was to tell.
  func route(_ events: [RelayedEvent]) async throws {
    var batch = RelayBatch()
    for event in events {
      switch event.audience {
      case .users(let users):
        batch.add(event, to: users)
        if batch.isFull { try await tell(batch.take()) }
      case .group(let group, let except):
        var last: UserID?
        var isComplete = false
        while !isComplete {
          let members = try await groups.members(of: group, after: last, limit: chunkSize)
          batch.add(event, to: members.filter { !except.contains($0) })
          if batch.isFull { try await tell(batch.take()) }
          last = members.last
          isComplete = members.count < chunkSize
        }
      }
    }
    try await tell(batch.take())
  }
}
