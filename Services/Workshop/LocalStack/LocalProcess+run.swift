import Foundation

extension LocalProcess {
  /// Runs a command to its end.
  ///
  /// - Returns: What it wrote to standard output and standard error.
  /// - Throws: `.exited` with the end of that output if the exit code is not 0; `.timeout` after killing it.
  @discardableResult
  public static func run(
    executable: String,
    arguments: [String] = [],
    environment: [String: String] = inheritedEnvironment,
    directory: String? = nil,
    openDirectory: String? = nil,
    asUser: String? = nil,
    within limit: Duration = .seconds(60)
  ) async throws(LocalStackError) -> String {
    let output = "\(NSTemporaryDirectory())/belfry-\(UUID().uuidString).log"
    try Files.write("", to: output)
    defer { unlink(output) }
    let process = try spawn(
      executable: executable,
      arguments: arguments,
      environment: environment,
      directory: directory,
      openDirectory: openDirectory,
      logFile: output,
      asUser: asUser
    )
    let status = await withTaskCancellationHandler {
      await process.waitForExit(within: limit)
    } onCancel: {
      process.signal(SIGKILL)
    }
    guard !Task.isCancelled else { throw LocalStackError(.cancelled, "\(process.name) was cancelled.") }
    guard let status else {
      await process.stop(signal: SIGKILL)
      throw LocalStackError(
        .timeout,
        "\(process.name) did not finish within \(Int(limit.inSeconds)) s.",
        logTail: Files.tail(output)
      )
    }
    guard status == 0 else {
      throw LocalStackError(.exited, "\(process.name) failed with status \(status).", logTail: Files.tail(output))
    }
    return Files.read(output) ?? ""
  }
}
