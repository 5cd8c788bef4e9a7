import NIOCore
import NIOHTTP1
import NIOHTTP2
import ServiceLifecycle
import TLS

/// FCM and its OAuth endpoint over HTTPS, HTTP/2 or HTTP/1.1.
///
/// It stands directly on NIO: a task for each stream, as Hummingbird has it, would cost three times the work itself, and the
/// simulator shares its machine with what is being measured.
struct FCMServer: Service {
  static let maximumConnections = 256
  static let idleTimeout = TimeAmount.minutes(10)

  let host: String
  let port: Int
  let tls: TLSContext
  let responder: FCMResponder

  func run() async throws {
    let listener = Listener(host: host, port: port, maximumConnections: Self.maximumConnections)
    try await listener.run(
      setUp: setUp,
      onListening: { responder.ports.listening(.fcm, on: $0) }
    )
  }

  private static let connection: NIOHTTP2Handler.ConnectionConfiguration = {
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings.append(
      HTTP2Setting(parameter: .initialWindowSize, value: FCMFrameHandler.streamWindow)
    )
    return connection
  }()

  /// A client whose requests time out resets their streams. NIO's limit for strangers, 200 resets in 30 s, would fail
  /// requests that no fault was asked for.
  private static let stream: NIOHTTP2Handler.StreamConfiguration = {
    var stream = NIOHTTP2Handler.StreamConfiguration()
    stream.streamResetFrameRateLimit.windowLength = .milliseconds(1)
    return stream
  }()

  @Sendable
  private func setUp(_ channel: any Channel) throws -> EventLoopFuture<Void> {
    try channel.pipeline.syncOperations.addHandlers(
      TLSServerHandler(tls),
      IdleStateHandler(allTimeout: Self.idleTimeout),
      CloseWhenIdle()
    )
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
            FCMFrameHandler(responder: responder)
          )
        }
      },
      http1ChannelConfigurator: { channel in
        channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
          try channel.pipeline.syncOperations.addHandler(FCMHandler(responder: responder))
        }
      }
    )
  }
}

/// Closes a connection on which nothing has happened for long.
private final class CloseWhenIdle: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
