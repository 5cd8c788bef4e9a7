import Foundation
import LocalStack
import TestSupport

/// A finished command.
struct CommandResult {
  let status: Int32
  let output: String

  /// Runs a program to its end; standard output and error together.
  static func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) async throws -> Self {
    let log = FileManager.default.temporaryDirectory.appending(path: "belfry-command-\(UUID().uuidString).log").path
    defer { Cleanup.removeNow(log) }
    let process = try LocalProcess.spawn(
      executable: program,
      arguments: arguments,
      environment: LocalProcess.inheritedEnvironment.merging(environment) { $1 },
      logFile: log
    )
    let status = await process.waitForExit()
    return CommandResult(status: status, output: try String(contentsOfFile: log, encoding: .utf8))
  }

  /// Runs a Python script of this repository.
  static func python(_ script: String, _ arguments: [String]) async throws -> Self {
    try await run(
      try Python.interpreter(),
      [Python.script(script)] + arguments,
      environment: ["PYTHONDONTWRITEBYTECODE": "1"]
    )
  }
}
