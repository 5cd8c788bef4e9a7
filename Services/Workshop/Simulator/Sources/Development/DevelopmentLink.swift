import DevelopmentControl
import ServiceLifecycle

/// Stays connected with `belfry-dev run`: hands on what it sends, and reports to it what arrives.
struct DevelopmentLink: Service {
  let client: DevelopmentClient
  let feed: ActivityFeed

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        // It is not there yet, or it went: the page says so, and the next round asks again.
        try? await client.watch(follow)
        feed.link(isConnected: false)
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
  }

  @Sendable private func follow(_ connection: DevelopmentConnection) async throws {
    feed.link(isConnected: true)
    let sightings = feed.sightings()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await sighting in sightings { try await connection.send(.seen(sighting)) }
      }
      group.addTask {
        for try await case .event(let event) in connection.messages { feed.relay(event) }
      }
      // Whichever ends first ends both.
      try await group.next()
      group.cancelAll()
    }
  }
}
