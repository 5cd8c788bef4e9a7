import LocalStack
import Postgres

/// The PostgreSQL server that the databases of a test process are on, started by the first test that needs it.
actor TestServer {
  static let shared = TestServer()

  struct Database: Sendable {
    let name: String
    let url: String
  }

  private var server: Task<Running, any Error>?
  private var templates: [String: Task<String, any Error>] = [:]
  private var made = 0

  private init() {}

  func makeDatabase(_ contents: DatabaseContents) async throws -> Database {
    let server = try await started()
    let template = try await template(contents)
    made += 1
    let name = "test_\(made)"
    try await server.create(name, template: template, isLarge: contents.isLarge)
    return Database(name: name, url: server.url(database: name))
  }

  func drop(_ database: Database) async throws {
    try await started().drop(database.name)
  }

  // MARK: Server

  /// The server and the one connection by which databases are made and dropped.
  private struct Running: Sendable {
    private let server: PostgresServer
    private let client: PostgresClient

    static func start() async throws -> Running {
      let server = try await PostgresServer.start(
        directory: try TestDirectory.forServer("postgresql"),
        installation: TestedServers.current.postgres,
        isDurable: false,
        logger: .quiet
      )
      let configuration = PostgresConfiguration(url: server.url(database: "postgres"), connections: 1)
      let client = PostgresClient(configuration: configuration, logger: .quiet)
      // Until the process ends, as the server does.
      Task { try await client.run() }
      return Running(server: server, client: client)
    }

    func url(database: String) -> String { server.url(database: database) }

    /// - Parameter isLarge: Its files are copied as they are, after a checkpoint; otherwise each page is written to the log.
    func create(_ name: String, template: String, isLarge: Bool) async throws {
      try await script("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY \(isLarge ? "file_copy" : "wal_log")")
    }

    func drop(_ name: String) async throws {
      try await script("DROP DATABASE \(name) WITH (FORCE)")
    }

    private func script(_ sql: String) async throws {
      try await client.withConnection(hasDeadlines: false) { try await $0.script(sql) }
    }
  }

  /// Every caller waits for the same start.
  private func started() async throws -> Running {
    if let server { return try await server.value }
    let start = Task { try await Running.start() }
    server = start
    return try await start.value
  }

  // MARK: Templates

  /// The database that has these contents; every caller waits until it is filled.
  private func template(_ contents: DatabaseContents) async throws -> String {
    if let template = templates[contents.name] { return try await template.value }
    let making = Task { try await makeTemplate(contents) }
    templates[contents.name] = making
    return try await making.value
  }

  private func makeTemplate(_ contents: DatabaseContents) async throws -> String {
    let server = try await started()
    let name = "belfry_\(contents.name)"
    var base = "template0"
    if let other = contents.base { base = try await template(other) }
    try await server.create(name, template: base, isLarge: contents.base?.isLarge ?? false)
    try await TestDatabase.withClient(of: server.url(database: name), connections: 1) { try await contents.fill($0) }
    return name
  }
}
