import LocalStack
import NotificationStore
import Postgres

/// The PostgreSQL server of a test process, one for each installation, started by the first test that needs it.
actor TestServer {
  /// The first is this machine's own.
  static let all = TestedServers.all.map { TestServer($0.postgres) }

  /// The one that the running test's databases are made on.
  @TaskLocal static var current = all[0]

  struct Database: Sendable {
    let name: String
    let url: String
  }

  /// Databases at the same time: bounds the connections, and two cores have no use for more.
  private static let limit = 8
  private static let template = "belfry_template"

  private let installation: PostgresInstallation
  private var server: Task<PostgresServer, any Error>?
  private var made = 0
  private var inUse = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private init(_ installation: PostgresInstallation) {
    self.installation = installation
  }

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
    let start = Task { try await Self.start(installation) }
    server = start
    return try await start.value
  }

  private static func start(_ installation: PostgresInstallation) async throws -> PostgresServer {
    let server = try await PostgresServer.start(
      directory: try TestDirectory.forServer(),
      installation: installation,
      isDurable: false,
      logger: .quiet
    )
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
