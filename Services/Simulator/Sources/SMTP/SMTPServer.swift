import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The SMTP sink: accepts every mail and keeps it for the control API.
final class SMTPServer: Service {
  static let maximumConnections = 256
  static let idleTimeout = TimeAmount.minutes(5)

  private let host: String
  private let port: Int
  private let policy: SMTPPolicy
  private let tls: NIOSSLContext
  private let faults: FaultList
  private let log: MailLog
  private let ports: ListeningPorts
  private let connections = Mutex<[ObjectIdentifier: any Channel]>([:])

  init(
    host: String,
    port: Int,
    policy: SMTPPolicy,
    tls: TLSConfiguration,
    faults: FaultList,
    log: MailLog,
    ports: ListeningPorts
  ) throws {
    self.host = host
    self.port = port
    self.policy = policy
    self.tls = try NIOSSLContext(configuration: tls)
    self.faults = faults
    self.log = log
    self.ports = ports
  }

  func run() async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { self.setUp($0) }
      .bind(host: host, port: port)
      .get()
    ports.listening(.smtp, on: listener.localAddress?.port ?? port)
    try await withGracefulShutdownHandler {
      try await withTaskCancellationHandler {
        try await listener.closeFuture.get()
      } onCancel: {
        listener.close(promise: nil)
      }
    } onGracefulShutdown: {
      listener.close(promise: nil)
    }
    for connection in connections.withLock({ Array($0.values) }) { connection.close(promise: nil) }
  }

  private func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
    let isAdmitted = connections.withLock { connections in
      guard connections.count < Self.maximumConnections else { return false }
      connections[ObjectIdentifier(channel)] = channel
      return true
    }
    guard isAdmitted else {
      let refusal = ByteBuffer(string: SMTPReply(421, "4.3.2", "Too many connections").text)
      return channel.writeAndFlush(refusal).flatMap { channel.close() }
    }
    channel.closeFuture.whenComplete { _ in
      self.connections.withLock { $0[ObjectIdentifier(channel)] = nil }
    }
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandlers(
        IdleStateHandler(readTimeout: Self.idleTimeout),
        SMTPHandler(policy: self.policy, tls: self.tls, faults: self.faults, log: self.log)
      )
    }
  }
}
