import NIOCore
import NIOHTTP1
import NIOHTTP2
import ServiceLifecycle
import TLS

/// A browser's push service over HTTPS, HTTP/2 or HTTP/1.1.
struct WebPushServer: Service {
  let host: String
  let port: Int
  let tls: TLSContext
  let responder: WebPushResponder

  func run() async throws {
    let listener = Listener(host: host, port: port, maximumConnections: FCMServer.maximumConnections)
    try await listener.run(
      setUp: setUp,
      onListening: { responder.ports.listening(.webPush, on: $0) }
    )
  }

  private static let connection: NIOHTTP2Handler.ConnectionConfiguration = {
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings.append(
      HTTP2Setting(parameter: .initialWindowSize, value: FCMFrameHandler.streamWindow)
    )
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
    return channel.configureHTTP2SecureUpgrade(
      h2ChannelConfigurator: { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            WriteGatherer(),
            NIOHTTP2Handler(
              mode: .server,
              connectionConfiguration: Self.connection,
              streamConfiguration: Self.stream
            ),
            WebPushFrameHandler(responder: responder)
          )
        }
      },
      http1ChannelConfigurator: { channel in
        channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
          try channel.pipeline.syncOperations.addHandler(WebPushHandler(responder: responder))
        }
      }
    )
  }
}
