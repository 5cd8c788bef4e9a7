import Testing
import TestSupport

@testable import OperatorCLI

/// What is checked of `belfry dead` before the broker is asked.
@Suite struct DeadCommandTests {
  @Test(arguments: ["redrive", "discard"], [["push"], ["push", "id", "--all"], ["inbox", "--all"], ["--all"]])
  func `which messages has to be said, in one way`(_ command: String, _ arguments: [String]) async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(["dead", command] + arguments) }
  }
}
