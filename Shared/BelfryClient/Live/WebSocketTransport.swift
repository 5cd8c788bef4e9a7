// Not compiled on Linux, where Foundation has no WebSockets: no test runs it there.
#if canImport(Darwin)
  public import Foundation

  /// The hub over a WebSocket.
  public struct WebSocketTransport: LiveTransport {
    public init() {}

    public var name: String { "WebSockets" }

    public func open(_ url: URL, token: String, via http: any HTTPTransport) async throws -> any LiveChannel {
      guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw BelfryError(.malformed) }
      parts.scheme = parts.scheme == "http" ? "ws" : "wss"
      guard let address = parts.url else { throw BelfryError(.malformed) }
      var request = URLRequest(url: address, timeoutInterval: 60)
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
      let channel = WebSocketChannel(request)
      do {
        try await channel.open()
        return channel
      } catch {
        channel.close()
        throw error
      }
    }
  }

  private final class WebSocketChannel: LiveChannel {
    /// How many messages may wait to be read.
    private static let maximumWaiting = 4_096

    let incoming: AsyncThrowingStream<String, any Error>
    private let continuation: AsyncThrowingStream<String, any Error>.Continuation
    private let session: URLSession
    private let task: URLSessionWebSocketTask
    private let observer = WebSocketObserver()
    private let receiving = Locked<Task<Void, Never>?>(nil)

    init(_ request: URLRequest) {
      (incoming, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
      session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
      task = session.webSocketTask(with: request)
      task.maximumMessageSize = longestHubRecord + 1
    }

    deinit {
      close()
    }

    func open() async throws {
      let (observer, task, continuation) = (observer, task, continuation)
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { opening in
          observer.expect(opening)
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
      let work = Task {
        do {
          while true {
            guard case .string(let text) = try await task.receive() else { continue }
            if case .dropped = continuation.yield(text) {
              throw BelfryError(.unavailable, detail: "The app reads too slowly.")
            }
          }
        } catch {
          continuation.finish(throwing: error is BelfryError ? error : connectionError(error))
          task.cancel()
        }
      }
      receiving.withLock { $0 = work }
    }

    func send(_ text: String) async throws {
      do {
        try await task.send(.string(text))
      } catch {
        throw connectionError(error)
      }
    }

    func close() {
      receiving.withLock { $0.take() }?.cancel()
      task.cancel(with: .normalClosure, reason: nil)
      session.finishTasksAndInvalidate()
      continuation.finish()
    }
  }

  /// Says when the socket is open, or why it never was.
  private final class WebSocketObserver: NSObject, URLSessionWebSocketDelegate, Sendable {
    private let opening = Locked<CheckedContinuation<Void, any Error>?>(nil)

    func expect(_ continuation: CheckedContinuation<Void, any Error>) {
      opening.withLock { $0 = continuation }
    }

    func urlSession(
      _ session: URLSession,
      webSocketTask: URLSessionWebSocketTask,
      didOpenWithProtocol protocol: String?
    ) {
      opening.withLock { $0.take() }?.resume()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let failure = error.map(connectionError) ?? BelfryError(.unavailable)
      opening.withLock { $0.take() }?.resume(throwing: failure)
    }
  }
#endif
