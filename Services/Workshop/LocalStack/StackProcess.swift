import Foundation
import Synchronization

/// One copy of a service, or the simulator, that can be stopped, killed and started again with the same configuration.
public final class StackProcess: Sendable {
  /// How it reports that it is ready.
  enum Readiness: Sendable {
    /// `GET /health/ready` on this port of 127.0.0.1 answers 200.
    case health(port: Int)
    /// It writes this file.
    case file(String)
  }

  /// E.g. `push-1`; also the name of its log file.
  public let name: String
  /// The port of its HTTP interface (its health endpoints, if it has no other).
  public let port: Int
  public let logFile: String
  /// Which service it is a copy of; `nil` for the simulator.
  public let service: BelfryService?
  let executable: String
  let environment: [String: String]
  private let readiness: Readiness
  private let process = Mutex<LocalProcess?>(nil)

  init(
    name: String,
    service: BelfryService? = nil,
    executable: String,
    environment: [String: String],
    port: Int,
    readiness: Readiness,
    logFile: String
  ) {
    self.name = name
    self.service = service
    self.executable = executable
    self.environment = environment
    self.port = port
    self.readiness = readiness
    self.logFile = logFile
  }

  /// `http://127.0.0.1:<port>`
  public var url: String { "http://127.0.0.1:\(port)" }
  public var pid: Int32? { process.withLock { $0?.pid } }
  public var isRunning: Bool { process.withLock { $0?.isRunning ?? false } }
  /// The end of its log.
  public var logTail: String { Files.tail(logFile) }

  /// Starts the process, without waiting for more than that. Does nothing if it runs.
  public func launch() throws(LocalStackError) {
    guard !isRunning else { return }
    if case .file(let path) = readiness { unlink(path) }
    let started = try LocalProcess.spawn(executable: executable, environment: environment, logFile: logFile)
    process.withLock { $0 = started }
  }

  /// Waits until the process says that it is ready.
  public func waitUntilReady(within limit: Duration = .seconds(60)) async throws(LocalStackError) {
    try await Condition.waitUntilReady(name, within: limit, log: logFile) { () async throws(LocalStackError) in
      isRunning ? await isReady() : nil
    }
  }

  /// Whether the process says now that it is ready.
  public func isReady() async -> Bool {
    switch readiness {
    case .health(let port): await HTTPProbe.status(port: port, path: "/health/ready") == 200
    case .file(let path): Files.read(path) != nil
    }
  }

  /// Starts the process, ending it first if it runs, and waits until it is ready.
  public func restart() async throws(LocalStackError) {
    await terminate()
    try launch()
    try await waitUntilReady()
  }

  /// Stops the process in its tracks (SIGSTOP) until ``resume()``.
  public func pause() { process.withLock { $0 }?.signal(SIGSTOP) }

  /// Lets a paused process go on.
  public func resume() { process.withLock { $0 }?.signal(SIGCONT) }

  /// Ends the process by SIGKILL, and returns when it is gone.
  public func kill() async {
    await process.withLock { $0 }?.stop(signal: SIGKILL)
  }

  /// Asks the process to end (SIGTERM), kills it if it has not within the time given, and returns when it is gone.
  ///
  /// - Returns: Exit code, or 128 + signal; `nil` if it was never started.
  @discardableResult
  public func terminate(within limit: Duration = .seconds(30)) async -> Int32? {
    await process.withLock { $0 }?.stop(within: limit)
  }

  /// Waits until the process has ended.
  ///
  /// - Returns: As `terminate(within:)`; `nil` if it was never started, or still runs after the time given.
  public func waitForExit(within limit: Duration = .seconds(3_600)) async -> Int32? {
    await process.withLock { $0 }?.waitForExit(within: limit)
  }
}
