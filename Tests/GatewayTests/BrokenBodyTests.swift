import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import Gateway

/// Bodies that end before they should, or are none, over real sockets.
@Suite(.timeLimit(.minutes(1))) struct BrokenBodyTests {
  /// Runs a server with one of the gateway's routes, as it is once somebody is let in; `body` gets its port, and how readings
  /// were refused.
  private func withServer(
    _ log: LogRecorder,
    _ body: @escaping @Sendable (Int, AsyncStream<HTTPResponse.Status>) async throws -> Void
  ) async throws {
    let (refusals, refusal) = AsyncStream.makeStream(of: HTTPResponse.Status.self)
    let route = try #require(try TestGateway.routes().first { $0.name == "PUT /api/v1/groups/:id" })
    let router = Hummingbird.Router(context: GatewayContext.self)
    router.add(middleware: ProblemMiddleware(paths: KnownPaths([route])))
    router.on(RouterPath(route.path), method: route.method) { request, context in
      do {
        return try await route.handler(request, context)
      } catch let problem as Problem {
        refusal.yield(problem.status)
        throw problem
      }
    }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let server = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { if let number = $0.localAddress?.port { port.yield(number) } },
      logger: log.logger
    )
    let services = ServiceGroup(configuration: .init(services: [.init(service: server)], logger: .quiet))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await services.run() }
      for await number in ports {
        try await body(number, refusals)
        break
      }
      await services.triggerGracefulShutdown()
      try await group.waitForAll()
    }
  }

  @Test(arguments: ["zz\r\n\r\n", "5\r\n{}\r\n0\r\n\r\n", "-1\r\n{}\r\n0\r\n\r\n"])
  func `chunks that are none are refused, and are no fault of ours`(_ chunks: String) async throws {
    let log = LogRecorder()
    try await withServer(log) { port, _ in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("PUT /api/v1/groups/g HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n")
        try await client.send("Transfer-Encoding: chunked\r\n\r\n\(chunks)")
        return await client.untilClosed()
      }
      #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(!answer.contains("200 OK"))
    }
    #expect(!log.all.contains { $0.level >= .error })
  }

  @Test(arguments: [
    "Content-Length: 70\r\n\r\n", "Content-Length: 70\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
  ])
  func `who goes before the end has sent nothing, and nobody is alarmed`(_ half: String) async throws {
    let log = LogRecorder()
    try await withServer(log) { port, refusals in
      try await RawClient.with(port: port) {
        try await $0.send("PUT /api/v1/groups/g HTTP/1.1\r\nHost: belfry\r\n\(half)")
      }
      for await status in refusals {
        #expect(status == .badRequest)
        break
      }
    }
    #expect(!log.all.contains { $0.level >= .error })
  }
}
