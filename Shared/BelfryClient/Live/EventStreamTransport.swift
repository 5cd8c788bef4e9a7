public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The hub over server-sent events; what the client says goes in requests of its own. Foundation on Linux has no WebSockets.
public struct EventStreamTransport: LiveTransport {
  /// There is nothing to set.
  public init() {}

  public var name: String { "ServerSentEvents" }

  public func open(_ url: URL, token: String, via http: any HTTPTransport) async throws -> any LiveChannel {
    let channel = EventStreamChannel(url, token: token, http: http)
    do {
      try await channel.open()
      return channel
    } catch {
      channel.close()
      throw error
    }
  }
}

private final class EventStreamChannel: LiveChannel {
  let incoming: AsyncThrowingStream<String, any Error>
  private let url: URL
  private let token: String
  private let http: any HTTPTransport
  private let reader: EventStreamReader
  private let session: URLSession
  private let task: URLSessionDataTask

  init(_ url: URL, token: String, http: any HTTPTransport) {
    self.url = url
    self.token = token
    self.http = http
    let (incoming, continuation) = AsyncThrowingStream<String, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(EventStreamReader.maximumWaiting)
    )
    self.incoming = incoming
    reader = EventStreamReader(continuation)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    session = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
    // The hub pings four times as often.
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 60)
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    task = session.dataTask(with: request)
  }

  deinit {
    close()
  }

  func open() async throws {
    let (reader, session, task) = (reader, session, task)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        reader.expect(continuation)
        task.resume()
      }
    } onCancel: {
      // A task that is cancelled before it began may never report its end.
      session.cancel(task) { !reader.hasEnded }
      reader.finish(CancellationError())
    }
  }

  func send(_ text: String) async throws {
    let request = HTTPRequest(
      method: "POST",
      url: url,
      headers: ["Authorization": "Bearer \(token)", "Content-Type": "text/plain;charset=UTF-8"],
      body: Data(text.utf8)
    )
    let response = try await http.send(request)
    guard response.isSuccess else { throw BelfryError(.unavailable, status: response.status) }
  }

  func close() {
    // First, or the end that the session reports is an error.
    reader.finish(nil)
    session.cancel(task) { [reader] in !reader.hasEnded }
    session.finishTasksAndInvalidate()
  }
}

/// Takes what the session reports of the stream.
private final class EventStreamReader: NSObject, URLSessionDataDelegate, Sendable {
  /// How many events may wait to be read.
  static let maximumWaiting = 4_096

  private struct State {
    var opening: CheckedContinuation<Void, any Error>?
    var parser = EventStreamParser()
    var isOver = false
    /// Whether the session has reported the end of the task.
    var hasEnded = false
  }

  private let state = Locked(State())
  private let events: AsyncThrowingStream<String, any Error>.Continuation

  init(_ events: AsyncThrowingStream<String, any Error>.Continuation) {
    self.events = events
  }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  func expect(_ opening: CheckedContinuation<Void, any Error>) {
    let isOver = state.withLock { state in
      if !state.isOver { state.opening = opening }
      return state.isOver
    }
    if isOver { opening.resume(throwing: CancellationError()) }
  }

  /// Ends the stream; a second call does nothing.
  func finish(_ error: (any Error)?) {
    let opening = state.withLock { state in
      state.isOver = true
      return state.opening.take()
    }
    opening?.resume(throwing: error ?? BelfryError(.unavailable))
    if let error { events.finish(throwing: error) } else { events.finish() }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else {
      completionHandler(.cancel)
      return finish(BelfryError(.unavailable, status: status))
    }
    completionHandler(.allow)
    state.withLock { $0.opening.take() }?.resume()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    do {
      for text in try state.withLock({ state in try state.parser.take(data) }) {
        if case .dropped = events.yield(text) { throw BelfryError(.unavailable, detail: "The app reads too slowly.") }
      }
    } catch {
      finish(error)
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
    state.withLock { $0.hasEnded = true }
    finish(error.map(connectionError))
  }
}
