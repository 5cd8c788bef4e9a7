/// Gives what `work` gives, or throws `late` once the time is over, even if `work` does not notice that it was cancelled.
func within<Value: Sendable>(
  _ limit: Duration,
  late: SenderError,
  _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let (results, result) = AsyncThrowingStream<Value, any Error>.makeStream(bufferingPolicy: .bufferingOldest(1))
  let working = Task {
    do {
      result.yield(try await work())
      result.finish()
    } catch {
      result.finish(throwing: error)
    }
  }
  let waiting = Task {
    try await Task.sleep(for: limit)
    result.finish(throwing: late)
  }
  defer {
    working.cancel()
    waiting.cancel()
  }
  for try await value in results { return value }
  throw CancellationError()
}
