import Foundation
import LocalStack
import TestSupport

/// A running Python script of this repository that prints JSON objects, one on a line.
final class ScriptProcess {
  private let process: LocalProcess
  private let log: String
  private var position: UInt64 = 0
  private var read: [[String: Any]] = []

  /// - Parameter script: Its path in the repository.
  init(_ script: String, _ arguments: [String]) throws {
    let log = FileManager.default.temporaryDirectory.appending(path: "belfry-script-\(UUID().uuidString).log").path
    Cleanup.remove(log)
    self.log = log
    process = try LocalProcess.spawn(
      executable: try Python.interpreter(),
      arguments: [Python.script(script)] + arguments,
      environment: Python.environment,
      logFile: log,
      // Asked, not killed: a script may have a browser to end.
      deathSignal: .terminate
    )
  }

  deinit { process.signal(SIGTERM) }

  /// The objects printed so far; what else the script's libraries write is left out.
  func lines() throws -> [[String: Any]] {
    let file = try FileHandle(forReadingFrom: URL(filePath: log))
    try file.seek(toOffset: position)
    let data = try file.readToEnd() ?? Data()
    // The last line may be half written.
    guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return read }
    position += UInt64(data.distance(from: data.startIndex, to: end) + 1)
    for line in data[..<end].split(separator: UInt8(ascii: "\n")) {
      if let object = (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any] { read.append(object) }
    }
    return read
  }

  /// The objects with this `event`.
  func events(_ name: String) throws -> [[String: Any]] {
    try lines().filter { $0["event"] as? String == name }
  }

  /// Everything printed, for messages.
  var output: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "(nothing)" }

  var isRunning: Bool { process.isRunning }

  /// Ends the script by SIGKILL, and returns when it is gone.
  func kill() async { await process.stop(signal: SIGKILL) }

  /// The exit code; nil if the script still runs after the time given.
  func waitForExit(within limit: Duration) async -> Int32? { await process.waitForExit(within: limit) }
}
