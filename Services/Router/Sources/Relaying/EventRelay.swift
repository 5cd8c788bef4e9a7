import NotificationModel
import NotificationQueue
import NotificationStore

/// Passes events on to the in-app nodes, for whom they concern at this moment. Nothing is stored: a repetition sends twice.
struct EventRelay {
  let groups: any GroupStoring
  /// Members of a group taken at once.
  let chunkSize: Int
  /// Publishes; returns once the broker has confirmed it.
  let publish: @Sendable ([(shard: Shard, message: RealtimeMessage)]) async throws -> Void

  /// Returns once the broker has confirmed what there was to pass on.
  ///
  /// - Parameter confirmed: Called with the positions of events that the broker has confirmed entirely; after a failure only
  ///   the others need be relayed again.
  func relay(_ events: [RelayedEvent], confirmed: ([Int]) -> Void) async throws {
    var batch = RelayBatch()
    var complete: [Int] = []
    func publishGathered() async throws {
      try await publish(batch.take())
      confirmed(complete)
      complete = []
    }
    for (position, event) in events.enumerated() {
      switch event.audience {
      case .users(let users):
        batch.add(event, to: users)
      // An event's audience is no topic.
      case .topic: break
      case .group(_, let except), .everyone(let except):
        var last: UserID?
        var isComplete = false
        while !isComplete {
          if batch.isFull { try await publishGathered() }
          let members = try await groups.people(of: event.audience, after: last, limit: chunkSize)
          batch.add(event, to: members.filter { !except.contains($0) })
          last = members.last
          isComplete = members.count < chunkSize
        }
      }
      complete.append(position)
      if batch.isFull { try await publishGathered() }
    }
    try await publishGathered()
  }
}
