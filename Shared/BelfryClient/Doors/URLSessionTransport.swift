import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests by a `URLSession` that keeps no cookies and no cache.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let answers: AnswerCollector

  /// Makes a session of its own, which ends with this.
  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let answers = AnswerCollector()
    self.answers = answers
    session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    // `URLSession` counts from the last byte on, and on Linux by the session's timeout alone.
    return try await within(request.timeout, of: SystemClock()) { try await self.answer(request) }
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let task = session.dataTask(with: URLRequest(request))
    let number = task.taskIdentifier
    answers.begin(number, limit: min(request.maximumBody, HTTPResponse.maximumBody))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answers.expect(number, continuation)
        task.resume()
      }
    } onCancel: {
      answers.settle(number, .failure(CancellationError()))
      session.cancel(task) { [answers] in answers.isRunning(number) }
    }
  }
}

extension URLSession {
  /// Cancels a task that has not ended yet, on the delegate's queue.
  ///
  /// On Linux Foundation tells the delegate of the end first and forgets the task then; it traps if somebody else cancels the task in between
  /// (`TaskRegistry.swift`). On this queue nobody can.
  func cancel(_ task: URLSessionTask, if isRunning: @escaping @Sendable () -> Bool) {
    delegateQueue.addOperation { if isRunning() { task.cancel() } }
  }
}

extension URLRequest {
  /// The same request for `URLSession`.
  init(_ request: HTTPRequest) {
    self.init(url: request.url, timeoutInterval: request.timeout.inSeconds)
    httpMethod = request.method
    httpBody = request.body
    for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
  }
}

/// Puts answers together from what the session reports of them.
///
/// A request that is given up has its result at once: on Linux Foundation does not always report the end of a task that was cancelled.
private final class AnswerCollector: NSObject, URLSessionDataDelegate, Sendable {
  typealias Continuation = CheckedContinuation<HTTPResponse, any Error>

  private struct Answer {
    let limit: Int
    var body = Data()
    /// Of who waits for the result.
    var continuation: Continuation?
    var result: Result<HTTPResponse, any Error>?
    var isHandedOver = false
    /// Whether the session has reported the end of the task.
    var hasEnded = false
  }

  private let answers = Locked<[Int: Answer]>([:])

  func begin(_ task: Int, limit: Int) {
    answers.withLock { $0[task] = Answer(limit: limit) }
  }

  /// Whether the session has not reported its end yet.
  func isRunning(_ task: Int) -> Bool {
    answers.withLock { $0[task].map { !$0.hasEnded } ?? false }
  }

  func expect(_ task: Int, _ continuation: Continuation) {
    hand(over: task) { $0.continuation = continuation }
  }

  /// Gives a task its result, unless it has one.
  func settle(_ task: Int, _ result: Result<HTTPResponse, any Error>) {
    hand(over: task) { $0.result = $0.result ?? result }
  }

  /// Changes what is known of a task, and hands its result to who waits for it.
  private func hand(over task: Int, _ change: (inout Answer) -> Void) {
    let waiting = answers.withLock { answers -> (Continuation, Result<HTTPResponse, any Error>)? in
      guard var answer = answers[task] else { return nil }
      change(&answer)
      var waiting: (Continuation, Result<HTTPResponse, any Error>)?
      if let result = answer.result {
        answer.body = Data()
        if let continuation = answer.continuation.take() {
          waiting = (continuation, result)
          answer.isHandedOver = true
        }
      }
      answers[task] = answer.hasEnded && answer.isHandedOver ? nil : answer
      return waiting
    }
    if let (continuation, result) = waiting { continuation.resume(with: result) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let number = dataTask.taskIdentifier
    let isTooLong = answers.withLock { answers in
      guard let answer = answers[number], answer.result == nil else { return false }
      guard answer.body.count + data.count <= answer.limit else { return true }
      answers[number]?.body.append(data)
      return false
    }
    if isTooLong {
      settle(number, .failure(BelfryError(.malformed, detail: "The answer is too long.")))
      dataTask.cancel()
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let response = task.response as? HTTPURLResponse
    hand(over: task.taskIdentifier) { answer in
      answer.hasEnded = true
      answer.result = answer.result ?? result(response, error, answer.body)
    }
  }

  private func result(
    _ response: HTTPURLResponse?,
    _ error: (any Error)?,
    _ body: Data
  ) -> Result<HTTPResponse, any Error> {
    if let error { return .failure(connectionError(error)) }
    guard let response else { return .failure(BelfryError(.unavailable)) }
    return .success(HTTPResponse(response, body: body))
  }
}

extension HTTPResponse {
  init(_ response: HTTPURLResponse, body: Data) {
    var headers: [String: String] = [:]
    for case (let name as String, let value as String) in response.allHeaderFields { headers[name] = value }
    self.init(status: response.statusCode, headers: headers, body: body)
  }
}

/// What `URLSession` reports where there is no answer.
func connectionError(_ error: any Error) -> any Error {
  guard let error = error as? URLError else { return BelfryError(.unavailable) }
  return switch error.code {
  case .cancelled: CancellationError()
  case .timedOut: BelfryError(.timeout)
  case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: BelfryError(.offline)
  default: BelfryError(.unavailable, detail: "\(hint(error.code)) (URLError \(error.code.rawValue))")
  }
}

/// What to look at: without the address, whose query may have a token.
private func hint(_ code: URLError.Code) -> String {
  switch code {
  case .cannotFindHost, .dnsLookupFailed: "the host's name is not known"
  case .cannotConnectToHost: "nothing answers at this host and port"
  case .networkConnectionLost: "the connection was lost"
  case .appTransportSecurityRequiresSecureConnection:
    "the system wants https here; NSAllowsLocalNetworking under NSAppTransportSecurity allows http at home"
  case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
    .serverCertificateHasBadDate, .serverCertificateNotYetValid:
    "the certificate is not trusted, or TLS failed"
  default: "no connection"
  }
}
