/// Runs the steps of a start and reports them.
struct StackStep: Sendable {
  let report: @Sendable (StackEvent) -> Void

  /// - Returns: The result as a value, so that steps side by side can all be waited for before one's failure is acted on.
  func run<Outcome: Sendable>(
    _ name: String,
    _ body: () async throws(LocalStackError) -> Outcome
  ) async -> Result<Outcome, LocalStackError> {
    let clock = ContinuousClock()
    let start = clock.now
    report(.began(name))
    do {
      let outcome = try await body()
      report(.finished(name, took: clock.now - start))
      return .success(outcome)
    } catch {
      return .failure(error)
    }
  }
}
