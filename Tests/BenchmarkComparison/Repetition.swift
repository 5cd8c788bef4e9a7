/// Repeats a measurement that something outside of it has spoilt.
public enum Repetition {
  /// Measures until it succeeds once, so many times at most, and says each failure.
  ///
  /// - Parameters:
  ///   - tries: At least 1.
  ///   - what: What is measured, for the lines that `say` gets.
  /// - Throws: The last try's error; that the task is cancelled at once.
  public static func measure<Result>(
    _ what: String,
    tries: Int,
    say: (String) -> Void,
    _ body: (_ attempt: Int) async throws -> Result
  ) async throws -> Result {
    var attempt = 1
    while true {
      do {
        return try await body(attempt)
      } catch  where !(error is CancellationError) {
        say("\(what), try \(attempt) of \(tries): \(error)")
        guard attempt < tries else { throw error }
        attempt += 1
      }
    }
  }
}
