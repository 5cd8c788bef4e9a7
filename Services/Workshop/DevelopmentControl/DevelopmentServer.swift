import Foundation
import NIOCore
import NIOPosix

/// The socket on which `belfry-dev run` answers the simulator; its owner alone may connect.
public struct DevelopmentServer: Sendable {
  /// More connections than a page, its readers and a terminal make wait for one of them to end.
  static let maximumConnections = 64

  public let path: String

  /// - Parameter path: Of a file that is made, in place of what an earlier run left.
  public init(path: String) throws(DevelopmentSocketError) {
    guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
    self.path = path
  }

  /// Serves until cancelled.
  ///
  /// - Parameters:
  ///   - onListening: Is called when clients can connect.
  ///   - handle: Serves one connection; what it throws ends that one alone.
  public func run(
    onListening: @Sendable () async -> Void = {},
    _ handle: @escaping @Sendable (DevelopmentConnection) async throws -> Void
  ) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      // Read from when somebody serves it: a connection that is wrapped and never served, for the server is cancelled, traps
      // (swift-nio, issue 2637).
      .childChannelOption(.autoRead, value: false)
      .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
        channel.eventLoop.makeSucceededFuture(channel)
      }
    chmod(path, 0o600)
    defer { unlink(path) }
    try await server.executeThenClose { connections in
      await onListening()
      try await withThrowingDiscardingTaskGroup { group in
        let permits = Permits(Self.maximumConnections)
        for try await channel in connections {
          await permits.take()
          group.addTask {
            // The other side went away, or said what is no message: its connection is over, and others are not.
            try? await DevelopmentConnection.serving(channel, handle)
            await permits.give()
          }
        }
      }
    }
  }
}

/// So many, and no more, at once.
private actor Permits {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func give() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
