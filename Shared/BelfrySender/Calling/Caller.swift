import Foundation

/// Makes calls: attempts, pauses, credentials.
struct Caller: Sendable {
  let gateway: String
  let credential: SenderCredential
  let retries: RetryPolicy
  let transport: any SenderTransport
  let clock: any SenderClock
  /// From 0 to 1.
  let random: @Sendable () -> Double

  /// What an answer means to whoever called.
  enum Reading<Value> {
    case done(Value)
    /// A part of it may succeed in another attempt; the value stands if none does.
    case partly(Value)
  }

  /// Calls until there is an answer.
  ///
  /// - Parameter read: Reads an answer of one of the statuses 200 to 299, and of others for which it knows a meaning; nil for those that are
  ///   failures. It is told whether an earlier attempt may have done it already. What it throws is an answer that cannot be read.
  /// - Throws: `CancellationError`, or ``SenderError``.
  func perform<Value>(
    _ call: Call,
    _ read: (TransportResponse, _ mayBeDone: Bool) throws -> Reading<Value>?
  ) async throws -> Value {
    guard let url = call.url(at: gateway) else { throw SenderError([FieldError("", "makes no address")]) }
    let deadline = clock.now + retries.total
    var state = State<Value>()
    while true {
      let failure: Failure
      switch try await attempt(call, url, until: deadline, &state, read) {
      case .done(let value): return value
      case .renewed: continue
      case .failed(let found): failure = found
      }
      state.isUncertain = state.isUncertain || failure.isUncertain
      state.failures += 1
      let pause = retries.pause(after: state.failures, retryAfter: failure.error.retryAfter, random: random())
      guard !failure.isLasting, state.attempts < retries.attempts, clock.now + pause < deadline else {
        if let partial = state.partial { return partial }
        var error = failure.error
        error.attempts = state.attempts
        error.idempotencyKey = call.idempotencyKey
        // A question changes nothing, answered or not.
        error.isUncertain = state.isUncertain && call.method != "GET"
        throw error
      }
      try await clock.sleep(for: pause)
    }
  }

  // MARK: One attempt

  private struct State<Value> {
    var attempts = 0
    var failures = 0
    var isRefused = false
    var hasRenewed = false
    var isUncertain = false
    var partial: Value?
  }

  private struct Failure {
    var error: SenderError
    var isLasting = false
    var isUncertain = false
  }

  private enum Outcome<Value> {
    case done(Value)
    case renewed
    case failed(Failure)
  }

  /// - Throws: `CancellationError`.
  private func attempt<Value>(
    _ call: Call,
    _ url: URL,
    until deadline: ContinuousClock.Instant,
    _ state: inout State<Value>,
    _ read: (TransportResponse, Bool) throws -> Reading<Value>?
  ) async throws -> Outcome<Value> {
    try Task.checkCancellation()
    let secret: String
    do {
      let (credential, reason) = (credential, state.isRefused ? SenderCredential.Reason.refused : .needed)
      let late = SenderError(.credential, "the token or API key did not come in time")
      secret = try await within(max(deadline - clock.now, .milliseconds(1)), late: late) {
        try await credential.value(reason)
      }
    } catch let error as SenderError {
      return .failed(Failure(error: error, isLasting: true))
    }
    state.isRefused = false
    state.attempts += 1
    let left = max(deadline - clock.now, .milliseconds(1))
    do {
      let response = try await transport.send(request(call, url, secret, timeout: min(retries.attempt, left)))
      return judge(response, &state, read)
    } catch {
      // A library's own error may come when it was our task that was cancelled.
      try Task.checkCancellation()
      let known = error as? TransportError
      let noAnswer = SenderError(.noAnswer, known?.description ?? "the connection failed", cause: error)
      return .failed(Failure(error: noAnswer, isLasting: known?.isTransient == false, isUncertain: true))
    }
  }

  private func request(_ call: Call, _ url: URL, _ secret: String, timeout: Duration) -> TransportRequest {
    var headers = call.headers
    headers["Accept"] = "application/json"
    headers["User-Agent"] = "belfry-sender"
    headers[credential.header] = secret
    if call.body != nil { headers["Content-Type"] = "application/json" }
    if let key = call.idempotencyKey { headers["Idempotency-Key"] = key }
    return TransportRequest(method: call.method, url: url, headers: headers, body: call.body, timeout: timeout)
  }

  private func judge<Value>(
    _ response: TransportResponse,
    _ state: inout State<Value>,
    _ read: (TransportResponse, Bool) throws -> Reading<Value>?
  ) -> Outcome<Value> {
    do {
      switch try read(response, state.isUncertain) {
      case .done(let value): return .done(value)
      case .partly(let value):
        state.partial = value
        return .failed(Failure(error: failure(.unavailable, of: response)))
      case nil: break
      }
    } catch {
      var unreadable = SenderError(.noAnswer, "the answer cannot be read", cause: error)
      unreadable.status = response.status
      return .failed(Failure(error: unreadable, isUncertain: true))
    }
    switch Verdict(response, canRenew: !state.hasRenewed) {
    case .renewCredential:
      (state.isRefused, state.hasRenewed) = (true, true)
      return .renewed
    case .again(let isUncertain):
      return .failed(Failure(error: failure(.unavailable, of: response), isUncertain: isUncertain))
    case .final:
      // Belfry answers all of its refusals with a problem.
      let code: SenderError.Code = SenderProblem(response) == nil ? .foreignAnswer : .refused
      return .failed(Failure(error: failure(code, of: response), isLasting: true))
    }
  }

  private func failure(_ code: SenderError.Code, of response: TransportResponse) -> SenderError {
    let problem = SenderProblem(response)
    var error = SenderError(code, problem?.description ?? "the answer has the status \(response.status)")
    error.problem = problem
    error.fields = problem?.errors ?? []
    error.status = response.status
    error.retryAfter = Verdict.retryAfter(response)
    return error
  }
}
