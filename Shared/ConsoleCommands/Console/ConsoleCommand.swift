public import ArgumentParser

/// A command whose words a test can read.
public protocol ConsoleCommand: AsyncParsableCommand {
  func run(on console: Console) async throws
}

extension ConsoleCommand {
  public func run() async throws {
    try await run(on: .standard)
  }
}
