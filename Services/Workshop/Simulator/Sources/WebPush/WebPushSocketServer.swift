import NIOCore
import NIOHTTP1
import NIOWebSocket
import ServiceLifecycle

/// The push service's other side, to which browsers connect: `push-notification` over WebSocket, in plain HTTP.
struct WebPushSocketServer: Service {
  private static let subprotocol = "push-notification"
  /// Frames of one message.
  private static let maximumFrames = 16
  /// Bytes that wait for a slow browser before it is left: all that it has not acknowledged, and as much in answers.
  private static let buffer = ChannelOptions.Types.WriteBufferWaterMark(low: 1_048_576, high: 2_097_152)

  let host: String
  let port: Int
  let responder: WebPushResponder

  func run() async throws {
    let listener = Listener(host: host, port: port, maximumConnections: BrowserConnections.maximumConnections)
    try await listener.run(
      setUp: setUp,
      onListening: { responder.ports.listening(.webPushSocket, on: $0) }
    )
  }

  @Sendable
  func setUp(_ channel: any Channel) throws -> EventLoopFuture<Void> {
    let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
      maxFrameSize: BrowserConnections.maximumMessage,
      shouldUpgrade: { channel, head in channel.eventLoop.makeSucceededFuture(Self.answer(to: head)) },
      upgradePipelineHandler: { [responder] channel, _ in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 1,
              maxAccumulatedFrameCount: Self.maximumFrames,
              maxAccumulatedFrameSize: BrowserConnections.maximumMessage
            ),
            WebPushSocketHandler(responder)
          )
        }
      }
    )
    // What is no WebSocket of the protocol is not served.
    let upgrade = NIOTypedHTTPServerUpgradeConfiguration<Void>(
      upgraders: [upgrader],
      notUpgradingCompletionHandler: { $0.close() }
    )
    _ = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
      configuration: .init(upgradeConfiguration: upgrade)
    )
    return channel.setOption(.writeBufferWaterMark, value: Self.buffer)
  }

  /// The headers of the answer; nil if it is refused, as what a page of the web opens: browsers themselves have the server's own
  /// address for an origin, or none.
  static func answer(to head: HTTPRequestHead) -> HTTPHeaders? {
    guard head.headers[canonicalForm: "Sec-WebSocket-Protocol"].contains(where: { $0 == subprotocol }) else {
      return nil
    }
    guard head.headers["Origin"].allSatisfy({ $0.lowercased().hasPrefix("ws://") }) else { return nil }
    return ["Sec-WebSocket-Protocol": subprotocol]
  }
}
