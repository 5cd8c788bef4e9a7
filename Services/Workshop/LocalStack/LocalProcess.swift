public import Foundation
import Synchronization

/// A child process that cannot outlive this process: the kernel signals it when this process dies, even by SIGKILL.
///
/// It runs in its own process group, so that Ctrl-C in a terminal reaches only this process, which then stops its children
/// in order. It has no standard input, inherits no file descriptors, no signal mask and no environment but what is given.
public final class LocalProcess: Sendable {
  /// The program's name, for messages.
  public let name: String
  public let pid: Int32
  /// Where standard output and standard error go.
  public let logFile: String?

  /// What the kernel sends to a child when this process dies.
  public enum DeathSignal: String, Sendable {
    case kill = "KILL"
    case interrupt = "INT"
    case terminate = "TERM"
  }

  private struct State {
    var status: Int32?
    var waiting: [UUID: CheckedContinuation<Int32?, Never>] = [:]
  }

  private let state = Mutex(State())

  private init(name: String, pid: Int32, logFile: String?) {
    self.name = name
    self.pid = pid
    self.logFile = logFile
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: Absolute path, or a name to be found in `PATH` and the system's directories.
  ///   - environment: The child's whole environment; see `inheritedEnvironment`.
  ///   - directory: Working directory; `nil` is this process's.
  ///   - openDirectory: A directory that the child gets open as descriptor 3, to reach as `/proc/self/fd/3` what its user
  ///     could not reach by name.
  ///   - logFile: Standard output and error are appended to it; `nil` discards them.
  ///   - asUser: Run as this user (only root can).
  ///   - deathSignal: What the kernel sends to the child when this process dies.
  public static func spawn(
    executable: String,
    arguments: [String] = [],
    environment: [String: String] = inheritedEnvironment,
    directory: String? = nil,
    openDirectory: String? = nil,
    logFile: String? = nil,
    asUser: String? = nil,
    deathSignal: DeathSignal = .kill
  ) throws(LocalStackError) -> LocalProcess {
    let program = try Programs.find(executable)
    var command: [String] = []
    if let directory { command += [try Programs.find("env"), "--chdir=\(directory)"] }
    command += [try Programs.find("setpriv"), "--pdeathsig", deathSignal.rawValue]
    if let asUser { command += ["--reuid", asUser, "--regid", asUser, "--init-groups"] }
    command += ["--", program] + arguments
    let launch = ProcessLaunch(
      command: command,
      environment: environment,
      output: logFile ?? "/dev/null",
      openDirectory: openDirectory
    )
    let name = URL(filePath: program).lastPathComponent
    switch ProcessSpawner.shared.run({ launch.start() }) {
    case .success(let pid):
      let process = LocalProcess(name: name, pid: pid, logFile: logFile)
      process.watch()
      return process
    case .failure(let error):
      throw LocalStackError(.cannotStart, "\(name) could not be started: \(error.localizedDescription).")
    }
  }

  /// This process's environment without the variables that steer Belfry, PostgreSQL, RabbitMQ and Erlang.
  public static var inheritedEnvironment: [String: String] {
    let steering = ["BELFRY_", "PG", "RABBITMQ_", "ERL_", "NOTIFY_SOCKET", "SWIFT_TESTING", "XCT"]
    return ProcessInfo.processInfo.environment.filter { name, _ in !steering.contains { name.hasPrefix($0) } }
  }

  public var isRunning: Bool { state.withLock { $0.status == nil } }

  /// Exit code, or 128 + signal; `nil` while the process runs.
  public var status: Int32? { state.withLock { $0.status } }

  /// Sends a signal; does nothing once the process has ended.
  public func signal(_ number: Int32) {
    // Under the lock the process may be dead, but is not reaped: its number cannot belong to another.
    state.withLock { if $0.status == nil { _ = kill(pid, number) } }
  }

  /// Waits until the process has ended.
  ///
  /// - Returns: The exit code, or 128 + the signal that ended it.
  @discardableResult
  public func waitForExit() async -> Int32 {
    while true {
      if let status = await waitForExit(within: .seconds(3_600)) { return status }
    }
  }

  /// Waits until the process has ended, at most for the time given.
  ///
  /// - Returns: As `waitForExit()`; `nil` if it still runs.
  public func waitForExit(within limit: Duration) async -> Int32? {
    let id = UUID()
    return await withCheckedContinuation { continuation in
      let status: Int32? = state.withLock {
        if $0.status == nil { $0.waiting[id] = continuation }
        return $0.status
      }
      if let status {
        continuation.resume(returning: status)
        return
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds) { [self] in
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
      }
    }
  }

  /// Asks the process to end, and kills it if it has not within the time given.
  ///
  /// - Returns: As `waitForExit()`.
  @discardableResult
  public func stop(signal number: Int32 = SIGTERM, within limit: Duration = .seconds(10)) async -> Int32 {
    signal(number)
    if let status = await waitForExit(within: limit) { return status }
    signal(SIGKILL)
    return await waitForExit()
  }

  /// Follows the process to its end on a thread of its own; there are a dozen children at most.
  private func watch() {
    let thread = Thread { [self] in
      var info = siginfo_t()
      while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
      let (status, waiting) = state.withLock { state in
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) == -1 && errno == EINTR {}
        let signal = raw & 0x7f
        let status = signal == 0 ? (raw >> 8) & 0xff : 128 + signal
        defer { state.waiting = [:] }
        state.status = status
        return (status, state.waiting.values)
      }
      for continuation in waiting { continuation.resume(returning: status) }
    }
    thread.name = "belfry.wait"
    thread.stackSize = 256 * 1_024
    thread.start()
  }
}
