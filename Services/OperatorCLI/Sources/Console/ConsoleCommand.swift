import ArgumentParser

/// A command whose words a test can read.
protocol ConsoleCommand: AsyncParsableCommand {
  func run(on console: Console) async throws
}

extension ConsoleCommand {
  func run() async throws {
    try await run(on: .standard)
  }
}
