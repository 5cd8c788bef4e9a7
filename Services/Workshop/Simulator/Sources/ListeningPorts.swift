import Synchronization

/// The ports on which the servers really listen, reported by each as soon as it does.
final class ListeningPorts: Sendable {
  enum Server: String, Sendable, CaseIterable {
    case fcm, apns, apnsSandbox, webPush, webPushSocket, smtp, control
  }

  private let ports = Mutex<[Server: Int]>([:])
  private let stream: AsyncStream<[Server: Int]>
  private let continuation: AsyncStream<[Server: Int]>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func listening(_ server: Server, on port: Int) {
    let known = ports.withLock { ports in
      ports[server] = port
      return ports
    }
    guard known.count == Server.allCases.count else { return }
    continuation.yield(known)
    continuation.finish()
  }

  subscript(_ server: Server) -> Int? {
    ports.withLock { $0[server] }
  }

  /// Waits until all listen; nil if the task is cancelled before. To be called once.
  func all() async -> [Server: Int]? {
    for await ports in stream { return ports }
    return nil
  }
}
