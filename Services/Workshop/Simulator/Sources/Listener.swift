import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// A TCP port on which connections are accepted up to a bound, until the service is to stop.
final class Listener: Sendable {
  private let host: String
  private let port: Int
  private let maximumConnections: Int
  private let connections = Mutex<[ObjectIdentifier: any Channel]>([:])

  /// - Parameter port: 0 takes a free one.
  init(host: String, port: Int, maximumConnections: Int) {
    self.host = host
    self.port = port
    self.maximumConnections = maximumConnections
  }

  /// Serves until a graceful shutdown or cancellation, then closes every connection.
  ///
  /// - Parameters:
  ///   - refusal: What a connection above the bound is sent before it is closed.
  ///   - setUp: Puts the handlers of a connection in place.
  ///   - onListening: Gets the port.
  func run(
    refusal: ByteBuffer? = nil,
    setUp: @escaping @Sendable (any Channel) throws -> EventLoopFuture<Void>,
    onListening: (Int) -> Void
  ) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        guard self.admit(channel) else {
          guard let refusal else { return channel.close() }
          return channel.writeAndFlush(refusal).flatMap { channel.close() }
        }
        do { return try setUp(channel) } catch { return channel.eventLoop.makeFailedFuture(error) }
      }
      .bind(host: host, port: port)
      .get()
    onListening(server.localAddress?.port ?? port)
    try await withGracefulShutdownHandler {
      try await withTaskCancellationHandler {
        try await server.closeFuture.get()
      } onCancel: {
        server.close(promise: nil)
      }
    } onGracefulShutdown: {
      server.close(promise: nil)
    }
    for connection in connections.withLock({ Array($0.values) }) { connection.close(promise: nil) }
  }

  private func admit(_ channel: any Channel) -> Bool {
    let isAdmitted = connections.withLock { connections in
      guard connections.count < maximumConnections else { return false }
      connections[ObjectIdentifier(channel)] = channel
      return true
    }
    guard isAdmitted else { return false }
    channel.closeFuture.whenComplete { _ in
      self.connections.withLock { $0[ObjectIdentifier(channel)] = nil }
    }
    return true
  }
}
