import LocalStack
import NotificationStore
import Postgres

/// The one PostgreSQL server of a test process, started by the first test that needs it.
actor TestServer {
  static let shared = TestServer()

  struct Database: Sendable {
    let name: String
    let url: String
  }

  /// Databases at the same time: bounds the connections, and two cores have no use for more.
  private static let limit = 8
  private static let template = "belfry_template"

  private var server: Task<PostgresServer, any Error>?
  private var made = 0
  private var inUse = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func makeDatabase(isMigrated: Bool) async throws -> Database {
    await takeTurn()
    do {
      let server = try await started()
      made += 1
      let name = "test_\(made)"
      try await server.createDatabase(name, template: isMigrated ? Self.template : nil)
      return Database(name: name, url: server.url(database: name))
    } catch {
      giveTurn()
      throw error
    }
  }

  func drop(_ database: Database) async throws {
    defer { giveTurn() }
    try await started().dropDatabase(database.name)
  }

  /// The server with its template; every caller waits for the same start.
  private func started() async throws -> PostgresServer {
    if let server { return try await server.value }
    let start = Task { try await Self.start() }
    server = start
    return try await start.value
  }

  private static func start() async throws -> PostgresServer {
    let directory = try TestDirectory.make()
    let server = try await PostgresServer.start(directory: "\(directory)/postgresql", isDurable: false, logger: .quiet)
    try await server.createDatabase(template)
    try await TestDatabase.withClient(of: server.url(database: template), connections: 1) { client in
      _ = try await Schema.migrate(client, logger: .quiet)
    }
    return server
  }

  private func takeTurn() async {
    if inUse < Self.limit {
      inUse += 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Passes the turn on, or gives it back.
  private func giveTurn() {
    if waiting.isEmpty {
      inUse -= 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
