import NotificationQueue

/// Fills a push dispatcher's queue with pushes to the devices of one provider.
struct PushFeed: Sendable {
  typealias Pace = DispatchFeed.Pace

  let people: PushPeople
  private let feed: DispatchFeed

  var queue: WorkQueue { people.queue }

  init(_ bench: Bench, _ people: PushPeople) throws {
    self.people = people
    feed = try DispatchFeed(bench, people.queue, to: people.all)
  }

  /// Puts so many messages into the queue.
  func fill(_ messages: Int) async throws { try await feed.fill(messages) }

  /// Puts messages into the queue until the task is cancelled.
  func keep(_ pace: Pace) async throws { try await feed.keep(pace) }
}
