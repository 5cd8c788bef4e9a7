/// A request on a connection, from submission until its sync.
struct PendingRequest {
  typealias Continuation = CheckedContinuation<PostgresAnswer, Never>

  let request: PostgresRequest
  /// Nil once the caller has been answered early (cancelled): the server's answer is then discarded.
  var continuation: Continuation?
  /// Uptime in nanoseconds; `.max` is never.
  let deadline: UInt64
  var results: [PostgresResult] = []
  var error: PostgresError?

  init(request: PostgresRequest, continuation: Continuation, deadline: UInt64) {
    self.request = request
    self.continuation = continuation
    self.deadline = deadline
  }

  mutating func answer(_ answer: PostgresAnswer) {
    continuation.take()?.resume(returning: answer)
  }

  /// Answers with what has come in. Called at the sync: before it, a deferred constraint may still fail.
  mutating func complete() {
    if let error { return answer(.failure(error)) }
    switch request.body {
    case .query: answer(results.first.map { .result($0) } ?? .failure(PostgresError(.connectionLost)))
    case .segment, .script: answer(.results(results))
    }
  }
}

extension Optional {
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}
