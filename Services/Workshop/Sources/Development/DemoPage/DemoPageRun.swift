import ConsoleCommands
import DevelopmentControl
import Foundation
import LocalStack
import NotificationModel
import NotificationStore
import Postgres

/// Keeps a stack running with the page of the first hour, until cancelled.
struct DemoPageRun: Sendable {
  let stack: BelfryStack
  let story: DemoStory
  /// Of the people's phones and browsers.
  let addresses: DemoAddresses
  /// The ETag of the catalogue that the story is about; nil where that stays.
  let tag: String?
  /// The notification of the start, if there was one: the page begins with it.
  let first: String?
  let report: StackReporter

  /// - Parameter ready: Is called when the page can be opened.
  func run(ready: @escaping @Sendable () async -> Void) async throws {
    let server = try DevelopmentServer(path: Self.socket(in: stack.configuration.directory))
    let database = PostgresClient(
      configuration: PostgresConfiguration(url: stack.databaseURL, connections: 1, applicationName: "belfry-dev"),
      logger: .quiet
    )
    try await GatewayClient.using(url: stack.gatewayURL) { gateway in
      try await GatewayClient.using(url: stack.simulator.url) { simulator in
        let restarts = Restarts()
        let hour = try DemoPage(
          stack,
          story: story,
          tag: tag,
          devices: DemoDevices(gateway, simulator: simulator, addresses: addresses),
          simulator: simulator,
          histories: HistoryStore(client: database),
          ladder: DevelopmentSettings.ladder(of: stack.configuration),
          restarts: restarts,
          hasDocs: { DevelopmentSettings.hasDocs(stack.configuration) }
        )
        try await hour.board.reset()
        if let first { await hour.begin(first) }
        try await serve(server, hour, database, restarts, ready: ready)
      }
    }
  }

  /// Where the simulator asks.
  static func socket(in directory: String) -> String { "\(directory)/development.sock" }

  private func serve(
    _ server: DevelopmentServer,
    _ hour: DemoPage,
    _ database: PostgresClient,
    _ restarts: Restarts,
    ready: @escaping @Sendable () async -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await database.run() }
      group.addTask {
        await stack.supervise { event in
          restarts.note(event)
          report(event)
        }
      }
      group.addTask { await hour.run() }
      group.addTask { try await server.run(onListening: ready) { try await Self.serve($0, hour) } }
      // Cancelled, all end; else only the server does, with an error.
      for try await _ in group {}
    }
  }

  private static func serve(_ connection: DevelopmentConnection, _ hour: DemoPage) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var watcher: Int?
      let outcome: Result<Void, any Error>
      do {
        for try await message in connection.messages {
          switch message {
          case .ask(let question): return try await connection.send(.answer(await hour.answer(question)))
          case .watch where watcher == nil:
            // The simulator is there, perhaps anew: it is sent everything, and makes again the troubles that are on.
            let (id, events) = await hour.watch()
            watcher = id
            await hour.board.restoreTroubles()
            group.addTask {
              for await event in events { try await connection.send(.event(event)) }
            }
          case .seen(let sighting): await hour.see(sighting)
          case .watch, .answer, .event: throw DevelopmentSocketError.malformed("it is no message of the simulator's")
          }
        }
        outcome = .success(())
      } catch {
        outcome = .failure(error)
      }
      if let watcher { await hour.leave(watcher) }
      group.cancelAll()
      try outcome.get()
    }
  }
}

extension DemoPage {
  /// The send of the start was before the page was there.
  fileprivate func begin(_ request: String) {
    guard let request = RequestID(request), let sentAt = request.time else { return }
    book.begin(
      DemoTrace(
        requests: [request],
        name: story.first?.name ?? "",
        label: story.first?.label ?? "",
        sentAt: sentAt,
        acceptedAt: nil,
        recipients: story.people
      )
    )
    attend()
  }
}
