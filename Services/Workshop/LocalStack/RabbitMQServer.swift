import Foundation
import Glibc
public import Logging
import Synchronization

/// A private RabbitMQ node on 127.0.0.1, with its own port mapper (epmd), as child processes.
///
/// Its files are in one directory, kept between starts: queues and messages survive. No plugins. The node's name is the same
/// in every directory, because stored data belongs to a node's name; the private port mapper keeps nodes apart. So does the one
/// user's password: each directory has its own, in a file that its owner alone can read.
public final class RabbitMQServer: Sendable {
  public let port: Int
  /// The AMQPS port if the server was started with a certificate.
  public let tlsPort: Int?
  public let user = RabbitMQFiles.user
  /// Of this directory.
  public let password: String
  /// `amqp://<user>:<password>@127.0.0.1:<port>/`
  public let url: String
  public let logFile: String

  private struct Processes {
    var portMapper: LocalProcess?
    var node: LocalProcess?
  }

  private let files: RabbitMQFiles
  private let logger: Logger
  private let processes = Mutex(Processes())

  private init(files: RabbitMQFiles, port: Int, tlsPort: Int?, password: String, logger: Logger) {
    self.files = files
    self.port = port
    self.tlsPort = tlsPort
    self.logger = logger
    logFile = files.log
    self.password = password
    url = "amqp://\(RabbitMQFiles.user):\(password)@127.0.0.1:\(port)/"
  }

  /// Starts a node and waits until it accepts AMQP connections.
  ///
  /// - Parameters:
  ///   - directory: Absolute path; made if it is missing. What one version wrote is not for an older one.
  ///   - installation: Which RabbitMQ.
  ///   - port: `nil` finds a free one.
  ///   - tls: Certificate for an additional AMQPS listener.
  public static func start(
    directory: String,
    installation: RabbitMQInstallation = .system,
    port: Int? = nil,
    tls: RabbitMQCertificate? = nil,
    logger: Logger
  ) async throws(LocalStackError) -> RabbitMQServer {
    let port = try FreePort.find(preferring: port)
    let tlsPort = tls == nil ? nil : try FreePort.find()
    let files = RabbitMQFiles(
      directory: directory,
      installation: installation,
      portMapperPort: try FreePort.find(),
      distributionPort: try FreePort.find()
    )
    let password = try files.prepare(port: port, tls: tls, tlsPort: tlsPort)
    let server = RabbitMQServer(files: files, port: port, tlsPort: tlsPort, password: password, logger: logger)
    try await server.launch()
    return server
  }

  /// Ends the node as a power failure would, and returns when it is gone.
  public func kill() async {
    let (node, portMapper) = processes.withLock { ($0.node, $0.portMapper) }
    let helpers = node.map { ProcessTable.descendants(of: $0.pid) } ?? []
    for process in [node, portMapper] { await process?.stop(signal: SIGKILL) }
    await ProcessTable.waitUntilGone(helpers)
  }

  /// Stops the node in its tracks (SIGSTOP) until ``resume()``: connections stay open, and nothing is answered.
  public func pause() { signal(SIGSTOP) }

  /// Lets a paused node go on.
  public func resume() { signal(SIGCONT) }

  /// The node is the virtual machine, or a script that waits for it; it has helpers.
  private func signal(_ number: Int32) {
    guard let node = processes.withLock({ $0.node }) else { return }
    for process in [node.pid] + ProcessTable.descendants(of: node.pid) { _ = Foundation.kill(process, number) }
  }

  /// Starts the node again on the same directory and port; ends it first if it runs.
  public func restart() async throws(LocalStackError) {
    await stop()
    try await launch()
  }

  /// Shuts the node down, and returns when it is gone.
  public func stop() async {
    let node = processes.withLock { $0.node }
    // Handled by the node itself: an orderly stop.
    await node?.stop(signal: SIGTERM, within: .seconds(30))
    await kill()
  }

  /// Raises or clears the memory alarm: publishing connections are blocked while it lasts.
  public func setMemoryAlarm(_ isRaised: Bool) async throws(LocalStackError) {
    let watermark = isRaised ? ["0.000001"] : ["absolute", "1GB"]
    try await control(["set_vm_memory_high_watermark"] + watermark)
  }

  /// Closes every client's connection from the server's side.
  public func closeAllConnections() async throws(LocalStackError) {
    try await control(["close_all_connections", "closed by the local stack"])
  }

  /// The version of the server that runs, e.g. `4.0.5`.
  public func version() async throws(LocalStackError) -> String {
    try await control(["eval", "rabbit_misc:version()."]).filter { $0.isNumber || $0 == "." }
  }

  /// Runs `rabbitmqctl` against this node.
  ///
  /// - Returns: What it printed.
  @discardableResult
  public func control(_ arguments: [String]) async throws(LocalStackError) -> String {
    try await LocalProcess.run(
      executable: files.installation.script("rabbitmqctl"),
      arguments: ["--quiet", "--node", RabbitMQFiles.nodeName] + arguments,
      environment: files.environment,
      directory: files.directory
    )
  }

  /// Removes the user that RabbitMQ makes by itself, and that releases before used, if it is there.
  func removeGuest() async throws(LocalStackError) {
    try await control([
      "eval",
      """
      case rabbit_auth_backend_internal:lookup_user(<<"guest">>) of
        {ok, _} -> rabbit_auth_backend_internal:delete_user(<<"guest">>, <<"\(user)">>);
        {error, not_found} -> ok
      end.
      """,
    ])
  }

  private func launch() async throws(LocalStackError) {
    let started = ContinuousClock.now
    do {
      try await startPortMapper()
      try await startNode()
      if files.mayHaveGuest {
        try await removeGuest()
        try files.keepPassword()
      }
    } catch {
      await kill()
      throw error
    }
    logger.debug(
      "RabbitMQ is ready",
      metadata: ["port": "\(port)", "took": "\((ContinuousClock.now - started).inSeconds)"]
    )
  }

  private func startNode() async throws(LocalStackError) {
    let node = try LocalProcess.spawn(
      executable: files.installation.script("rabbitmq-server"),
      environment: files.environment,
      directory: files.directory,
      logFile: files.log
    )
    processes.withLock { $0.node = node }
    try await Condition.waitUntilReady("RabbitMQ", within: .seconds(120), log: files.log) {
      () throws(LocalStackError) in
      node.isRunning ? AMQPProbe.accepts(port: port) : nil
    }
  }

  /// Starts the port mapper in the foreground before the node: otherwise Erlang starts one that outlives everything.
  private func startPortMapper() async throws(LocalStackError) {
    let portMapper = try LocalProcess.spawn(
      executable: files.installation.portMapper,
      environment: files.environment,
      directory: files.directory,
      logFile: files.log
    )
    processes.withLock { $0.portMapper = portMapper }
    try await Condition.waitUntilReady("RabbitMQ's port mapper (epmd)", within: .seconds(10), log: files.log) {
      () throws(LocalStackError) in
      portMapper.isRunning ? !FreePort.isFree(files.portMapperPort) : nil
    }
  }
}
