import Foundation
public import Logging
import Synchronization

/// A private PostgreSQL server on 127.0.0.1, as a child process.
///
/// Its files are in one directory: `data` (kept between starts), `server.log`, and the superuser's generated password. Root
/// runs it as the user `postgres`, because the server refuses root.
public final class PostgresServer: Sendable {
  public let port: Int
  /// Connection URI of the superuser on the database `postgres`. Contains the password.
  public let url: String
  public let logFile: String

  private let files: PostgresFiles
  private let password: String
  private let isDurable: Bool
  private let logger: Logger
  private let process = Mutex<LocalProcess?>(nil)

  private init(files: PostgresFiles, port: Int, password: String, isDurable: Bool, logger: Logger) {
    self.files = files
    self.port = port
    self.password = password
    self.isDurable = isDurable
    self.logger = logger
    logFile = files.log
    url = "postgresql://postgres:\(password)@127.0.0.1:\(port)/postgres"
  }

  /// Starts a server and waits until it accepts connections; initialises the directory if it is new.
  ///
  /// - Parameters:
  ///   - directory: Absolute path; made if it is missing. What one version wrote is for that version only.
  ///   - installation: Which PostgreSQL. Of another than the system's, started by root, a copy comes into the directory, which
  ///     the user `postgres` must be able to reach by name then.
  ///   - port: `nil` finds a free one.
  ///   - isDurable: `false` for tests: commits survive the server's death, not the machine's.
  public static func start(
    directory: String,
    installation: PostgresInstallation = .system,
    port: Int? = nil,
    isDurable: Bool = true,
    logger: Logger
  ) async throws(LocalStackError) -> PostgresServer {
    let files = try PostgresFiles(directory: directory, installation: installation)
    let password = try await files.prepare(logger: logger)
    let server = PostgresServer(
      files: files,
      port: try FreePort.find(preferring: port),
      password: password,
      isDurable: isDurable,
      logger: logger
    )
    try await server.launch()
    return server
  }

  /// The URL of another database of this server.
  public func url(database: String) -> String {
    url.dropLast("postgres".count) + database
  }

  /// Creates a database, copying the template if one is given (nobody may be connected to that).
  public func createDatabase(_ name: String, template: String? = nil) async throws(LocalStackError) {
    try await client("createdb", (template.map { ["--template", $0] } ?? []) + [name])
  }

  /// Creates a database unless it is there.
  func makeDatabase(_ name: String) async throws(LocalStackError) {
    do {
      try await createDatabase(name)
    } catch {
      guard error.logTail?.contains("already exists") == true else { throw error }
    }
  }

  /// Drops a database, ending its connections.
  public func dropDatabase(_ name: String) async throws(LocalStackError) {
    try await client("dropdb", ["--if-exists", "--force", name])
  }

  /// Ends the server and all its processes as a power failure would, and returns when they are gone.
  public func kill() async {
    guard let process = process.withLock({ $0 }), process.isRunning else { return }
    // Stopped, it starts no more children while they are counted.
    process.signal(SIGSTOP)
    let children = ProcessTable.descendants(of: process.pid)
    process.signal(SIGKILL)
    for child in children { _ = Glibc.kill(child, SIGKILL) }
    await process.waitForExit()
    await ProcessTable.waitUntilGone(children)
  }

  /// Starts the server again on the same directory and port; ends it first if it runs.
  public func restart() async throws(LocalStackError) {
    await stop()
    try await launch()
  }

  /// Shuts the server down, ending its connections, and returns when it is gone.
  public func stop() async {
    guard let process = process.withLock({ $0 }), process.isRunning else { return }
    process.signal(SIGINT)
    if await process.waitForExit(within: .seconds(30)) == nil { await kill() }
  }

  private func client(_ program: String, _ arguments: [String]) async throws(LocalStackError) {
    // The password goes by the environment: other users can read command lines.
    let connection = [
      "PGHOST": "127.0.0.1", "PGPORT": String(port), "PGUSER": "postgres", "PGPASSWORD": password,
    ]
    try await LocalProcess.run(
      executable: files.program(program),
      arguments: arguments,
      environment: LocalProcess.inheritedEnvironment.merging(connection) { $1 }
    )
  }

  private func launch() async throws(LocalStackError) {
    var arguments = files.arguments + ["-p", String(port)]
    arguments += ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    if !isDurable {
      // Shared memory in the server's own folder goes with it, also when the server is killed.
      for setting in ["fsync=off", "full_page_writes=off", "dynamic_shared_memory_type=mmap"] {
        arguments += ["-c", setting]
      }
    }
    try await files.waitForFormerServer()
    let started = ContinuousClock.now
    // SIGINT is an orderly shutdown: the next start needs no recovery.
    let process = try LocalProcess.spawn(
      executable: files.program("postgres"),
      arguments: arguments,
      directory: "/",
      openDirectory: files.directory,
      logFile: files.log,
      asUser: files.owner,
      deathSignal: .interrupt
    )
    self.process.withLock { $0 = process }
    do {
      try await Condition.waitUntilReady("PostgreSQL", within: .seconds(60), log: files.log) {
        () throws(LocalStackError) in
        process.isRunning ? files.isReady(pid: process.pid) : nil
      }
    } catch {
      await kill()
      throw error
    }
    logger.debug(
      "PostgreSQL is ready",
      metadata: ["port": "\(port)", "took": "\((ContinuousClock.now - started).inSeconds)"]
    )
  }
}
