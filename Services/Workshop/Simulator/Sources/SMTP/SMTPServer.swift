import NIOCore
import ServiceLifecycle
import TLS

/// The SMTP sink: accepts every mail and keeps it for the control API.
struct SMTPServer: Service {
  static let maximumConnections = 256
  static let idleTimeout = TimeAmount.minutes(5)

  let host: String
  let port: Int
  let policy: SMTPPolicy
  let tls: TLSContext
  let faults: FaultList
  let log: MailLog
  let ports: ListeningPorts

  func run() async throws {
    let listener = Listener(host: host, port: port, maximumConnections: Self.maximumConnections)
    try await listener.run(
      refusal: ByteBuffer(string: SMTPReply(421, "4.3.2", "Too many connections").text),
      setUp: setUp,
      onListening: { ports.listening(.smtp, on: $0) }
    )
  }

  @Sendable
  private func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandlers(
        IdleStateHandler(readTimeout: Self.idleTimeout),
        SMTPHandler(policy: policy, tls: tls, faults: faults, log: log)
      )
    }
  }
}
