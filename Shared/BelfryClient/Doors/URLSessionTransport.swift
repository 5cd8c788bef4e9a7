import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests by a `URLSession` that keeps no cookies and no cache.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let answers: AnswerCollector

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
    let task = session.dataTask(with: URLRequest(request))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answers.expect(task.taskIdentifier, continuation)
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
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
private final class AnswerCollector: NSObject, URLSessionDataDelegate, Sendable {
  typealias Continuation = CheckedContinuation<HTTPResponse, any Error>

  private struct Answer {
    let continuation: Continuation
    var body = Data()
    var isTooLong = false
  }

  private let answers = Locked<[Int: Answer]>([:])

  func expect(_ task: Int, _ continuation: Continuation) {
    answers.withLock { $0[task] = Answer(continuation: continuation) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = answers.withLock { answers in
      guard let count = answers[dataTask.taskIdentifier]?.body.count else { return false }
      guard count + data.count <= HTTPResponse.maximumBody else {
        answers[dataTask.taskIdentifier]?.isTooLong = true
        return true
      }
      answers[dataTask.taskIdentifier]?.body.append(data)
      return false
    }
    if isTooLong { dataTask.cancel() }
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
    guard let answer = answers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    if answer.isTooLong {
      answer.continuation.resume(throwing: BelfryError(.malformed, detail: "The answer is too long."))
    } else if let error {
      answer.continuation.resume(throwing: connectionError(error))
    } else if let response = task.response as? HTTPURLResponse {
      answer.continuation.resume(returning: HTTPResponse(response, body: answer.body))
    } else {
      answer.continuation.resume(throwing: BelfryError(.unavailable))
    }
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
  default: BelfryError(.unavailable, detail: "URLError \(error.code.rawValue)")
  }
}
