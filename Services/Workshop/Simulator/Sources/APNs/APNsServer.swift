import NIOCore
import NIOHTTP2
import ServiceLifecycle
import TLS

/// One environment of APNs over HTTP/2.
struct APNsServer: Service {
  let host: String
  let port: Int
  /// On a connection whose pushes are accepted.
  let streams: Int
  let tls: TLSContext
  let responder: APNsResponder
  let ports: ListeningPorts

  func run() async throws {
    let listener = Listener(host: host, port: port, maximumConnections: FCMServer.maximumConnections)
    try await listener.run(
      setUp: setUp,
      onListening: { ports.listening(responder.environment.server, on: $0) }
    )
  }

  /// As on FCM's, but one stream at first.
  private static let connection: NIOHTTP2Handler.ConnectionConfiguration = {
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: 1),
      HTTP2Setting(parameter: .maxHeaderListSize, value: 16_384),
      HTTP2Setting(parameter: .initialWindowSize, value: FCMFrameHandler.streamWindow),
    ]
    return connection
  }()

  private static let stream: NIOHTTP2Handler.StreamConfiguration = {
    var stream = NIOHTTP2Handler.StreamConfiguration()
    stream.streamResetFrameRateLimit.windowLength = .milliseconds(1)
    return stream
  }()

  @Sendable
  private func setUp(_ channel: any Channel) throws -> EventLoopFuture<Void> {
    responder.log.countConnection()
    try channel.pipeline.syncOperations.addHandler(TLSServerHandler(tls))
    // Also for a client that names no protocol, as Apple takes it: there is no other.
    return channel.configureHTTP2SecureUpgrade(h2ChannelConfigurator: speak, http1ChannelConfigurator: speak)
  }

  @Sendable
  private func speak(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandlers(
        WriteGatherer(),
        NIOHTTP2Handler(mode: .server, connectionConfiguration: Self.connection, streamConfiguration: Self.stream),
        APNsFrameHandler(responder: responder, streams: streams)
      )
    }
  }
}
