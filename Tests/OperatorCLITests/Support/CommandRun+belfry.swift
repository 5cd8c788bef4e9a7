import OperatorCLI
import TestSupport

extension CommandRun {
  /// Runs a command of `belfry`.
  static func run(_ arguments: [String], input: String = "", answer: String? = nil) async throws -> CommandRun {
    try await run(arguments, of: BelfryCommand.self, input: input, answer: answer)
  }

  /// The same against a gateway, as the bearer of a token.
  static func run(
    _ arguments: [String],
    at gateway: StubGateway,
    input: String = "",
    answer: String? = nil
  ) async throws -> CommandRun {
    try await run(arguments + ["--gateway", gateway.url, "--token", "t"], input: input, answer: answer)
  }
}
