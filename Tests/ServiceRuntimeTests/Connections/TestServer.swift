import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import TestSupport

@testable import ServiceRuntime

/// A server with limits on a free port: `GET /` answers "here", `POST /` the size of the body.
enum TestServer {
  static let patient = ConnectionLimits(
    maximumConnections: 100,
    maximumPerAddress: 100,
    headerTimeout: .seconds(60),
    bodyTimeout: .seconds(60),
    idleTimeout: .seconds(60)
  )

  /// - Parameter routes: Adds routes to those two.
  static func with(
    _ limits: ConnectionLimits,
    routes: (Router<BasicRequestContext>) -> Void = { _ in },
    _ body: @escaping (Int) async throws -> Void
  ) async throws {
    let router = Router()
    routes(router)
    router.get("/") { _, _ in "here" }
    router.post("/") { request, _ in
      var request = request
      return "\(try await request.collectBody(upTo: 131_072).readableBytes)"
    }
    try await run(body) { listening in
      Application(
        router: router,
        server: .http1(within: limits, logger: .quiet),
        configuration: .init(
          address: .hostname("127.0.0.1", port: 0),
          availableConnectionsDelegate: MaximumAvailableConnections(limits.maximumConnections)
        ),
        onServerRunning: listening,
        logger: .quiet
      )
    }
  }

  /// Runs a server until `body` returns; `body` gets its port.
  static func run<Server: ApplicationProtocol>(
    _ body: (Int) async throws -> Void,
    _ application: (@escaping @Sendable (any Channel) async -> Void) -> Server
  ) async throws {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let server = application { channel in continuation.yield(channel.localAddress?.port ?? 0) }
    let services = ServiceGroup(configuration: .init(services: [.init(service: server)], logger: .quiet))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await services.run() }
      for await port in ports {
        try await body(port)
        break
      }
      await services.triggerGracefulShutdown()
      try await group.waitForAll()
    }
  }
}
