import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gathers the answers of a session's tasks, none longer than ``TransportRequest/maximumAnswer``.
///
/// Foundation on Linux asks the session's delegate alone, never a task's own, so that one delegate knows all open tasks.
final class AnswerCollector: NSObject, URLSessionDataDelegate, Sendable {
  private struct OpenTask {
    let continuation: CheckedContinuation<TransportResponse, any Error>
    var body = Data()
  }

  private let lock = NSLock()
  /// By the task's identifier. Every access is within ``lock``, in ``withOpen(_:)``: Foundation has no lock that holds its value, and
  /// `Synchronization` needs a later macOS than apps have.
  private nonisolated(unsafe) var open: [Int: OpenTask] = [:]

  private func withOpen<Result>(_ body: (inout [Int: OpenTask]) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&open)
  }

  /// Sends a request; its answer is whatever status comes.
  ///
  /// - Throws: `CancellationError`, or ``TransportError``.
  func answer(to request: URLRequest, of session: URLSession) async throws -> TransportResponse {
    try Task.checkCancellation()
    let task = session.dataTask(with: request)
    let number = task.taskIdentifier
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        withOpen { $0[number] = OpenTask(continuation: continuation) }
        task.resume()
        // Before it was open.
        if Task.isCancelled { cancel(task, of: session) }
      }
    } onCancel: {
      cancel(task, of: session)
    }
  }

  /// On Linux Foundation tells the delegate of the end first and forgets the task then; it traps if somebody else cancels the task in between
  /// (`TaskRegistry.swift`). On the delegate's queue nobody can.
  private func cancel(_ task: URLSessionTask, of session: URLSession) {
    session.delegateQueue.addOperation { self.giveUp(task, CancellationError()) }
  }

  /// Ends a task at once: its end is not always reported once it was cancelled.
  private func giveUp(_ task: URLSessionTask, _ error: any Error) {
    guard let open = withOpen({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    task.cancel()
    open.continuation.resume(throwing: error)
  }

  // MARK: URLSessionDataDelegate

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let limit = TransportRequest.maximumAnswer
    let isTooLarge = withOpen { open in
      guard var task = open.removeValue(forKey: dataTask.taskIdentifier) else { return false }
      let isTooLarge = task.body.count + data.count > limit
      if !isTooLarge { task.body.append(data) }
      open[dataTask.taskIdentifier] = task
      return isTooLarge
    }
    if isTooLarge {
      giveUp(dataTask, TransportError("the answer has more than \(limit) bytes", isTransient: false))
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let ended = withOpen({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    if let error {
      ended.continuation.resume(throwing: Self.failure(error))
    } else if let answer = task.response as? HTTPURLResponse {
      let headers = answer.allHeaderFields.compactMap { field -> (name: String, value: String)? in
        guard let name = field.key as? String, let value = field.value as? String else { return nil }
        return (name, value)
      }
      ended.continuation.resume(
        returning: TransportResponse(status: answer.statusCode, headers: headers, body: ended.body)
      )
    } else {
      ended.continuation.resume(throwing: TransportError("the answer was no HTTP", isTransient: true))
    }
  }

  /// The secret in the headers goes to no other address.
  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  // MARK: Failures

  /// What will fail the same way the next time.
  private static let lasting: Set<URLError.Code> = [
    .badURL, .unsupportedURL, .serverCertificateUntrusted, .serverCertificateHasBadDate,
    .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
    .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection,
  ]

  private static func failure(_ error: any Error) -> any Error {
    guard let error = error as? URLError else {
      return TransportError(error.localizedDescription, isTransient: true, cause: error)
    }
    guard error.code != .cancelled else { return CancellationError() }
    return TransportError(error.localizedDescription, isTransient: !lasting.contains(error.code), cause: error)
  }
}
