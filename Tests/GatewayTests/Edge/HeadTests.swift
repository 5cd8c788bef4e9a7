import Authentication
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// `HEAD`: what `GET` would answer, without the body.
@Suite(.timeLimit(.minutes(1))) struct HeadTests {
  /// But for exports of others, which begin nothing for a HEAD: see ``ExportRouteTests``.
  private static func routes() throws -> [Route] {
    try TestGateway.routes().filter { $0.method == .get && $0.path != "/api/v1/users/:id/export" }
  }

  @Test(arguments: try routes())
  func `who may GET may also HEAD, and nobody else`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let callers: [Caller?] = [
        nil, try await .user(), try await .service(), try await .service("root", role: .admin),
      ]
      for caller in callers {
        let get = try await gateway.call(.get, route.example, as: caller)
        let head = try await gateway.call(.head, route.example, as: caller)
        #expect(head.status == get.status && head.body.isEmpty)
        for name in [HTTPField.Name.contentType, .contentLength, .eTag, .cacheControl, .wwwAuthenticate] {
          #expect(head.headers[name] == get.headers[name], "\(name)")
        }
      }
    }
  }

  @Test func `what is not there has no body for HEAD either, so the connection's next answer is understood`()
    async throws
  {
    try await RunningGateway.with { port, _ in
      let answers = try await RawClient.with(port: port) { client in
        for path in ["/health/live", "/nothing", "/api/v1/devices", "/api/v1/events"] {
          try await client.send("HEAD \(path) HTTP/1.1\r\nHost: belfry\r\n\r\n")
        }
        try await client.send("GET /health/live HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
        return await client.untilClosed()
      }
      let parts = answers.split(separator: "\r\n\r\n", omittingEmptySubsequences: false)
      #expect(
        parts.dropLast().map { $0.prefix { $0 != "\r\n" } } == [
          "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 401 Unauthorized",
          "HTTP/1.1 405 Method Not Allowed", "HTTP/1.1 200 OK",
        ]
      )
      #expect(parts.last == #"{"status":"ok"}"#)
    }
  }

  @Test func `an address is that of the connection`() async throws {
    try await RunningGateway.with(["BELFRY_GATEWAY_ADDRESS_RATE": "1"]) { port, _ in
      let answers = try await RawClient.with(port: port) { client in
        for _ in 0..<50 {
          try await client.send("HEAD /nothing HTTP/1.1\r\nHost: belfry\r\n\r\n")
        }
        try await client.send("HEAD /nothing HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
        return await client.untilClosed()
      }
      let lines = answers.split(separator: "\r\n")
      #expect(lines.first == "HTTP/1.1 404 Not Found")
      // A machine on which 50 such answers take more than 48 seconds runs into the time limit.
      #expect(lines.contains("HTTP/1.1 429 Too Many Requests"))
      #expect(lines.contains { $0.lowercased() == #"ratelimit-policy: "address";q=2;w=2"# })
    }
  }
}
