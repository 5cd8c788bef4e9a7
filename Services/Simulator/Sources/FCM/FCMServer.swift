import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOPosix
import NIOSSL
import ServiceLifecycle
import ServiceRuntime

/// FCM and its OAuth endpoint over HTTPS, HTTP/2 or HTTP/1.1.
enum FCMServer {
  static func build(
    host: String,
    port: Int,
    tls: TLSConfiguration,
    responder: FCMResponder,
    logger: Logger
  ) throws -> any Service {
    let builder = try HTTPServerBuilder.http2Upgrade(
      tlsConfiguration: tls,
      configuration: .init(gracefulCloseTimeout: .seconds(2))
    )
    return try builder.buildServer(
      configuration: ServerConfiguration(address: .hostname(host, port: port)),
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
      logger: logger,
      responder: responder.respond,
      onServerRunning: { channel in
        responder.ports.listening(.fcm, on: channel.localAddress?.port ?? port)
      }
    )
  }
}
