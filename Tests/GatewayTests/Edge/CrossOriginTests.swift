import HTTPTypes
import ServiceRuntime
import TestSupport
import Testing

@testable import Gateway

/// What browsers are told about pages of other origins.
@Suite struct CrossOriginTests {
  private static let page = "https://app.example"
  private static let asking: HTTPFields = [.origin: page, .accessControlRequestMethod: "PATCH"]

  private func withOrigins(_ body: @escaping @Sendable (TestGateway) async throws -> Void) async throws {
    let origins = try #require(AllowedOrigins("https://app.example, http://localhost:5173"))
    try await TestGateway.withoutDatabase(edge: EdgeConfiguration(allowedOrigins: origins), body)
  }

  @Test func `a browser that asks before a page of a listed origin is told what the page may do, without a token`()
    async throws
  {
    try await withOrigins { gateway in
      for path in ["/api/v1/devices", "/api/v1/notifications/7/read", "/catalogue"] {
        let answer = try await gateway.call(.options, path, headers: Self.asking)
        #expect(answer.status == .noContent && answer.body.isEmpty)
        #expect(answer.headers[.accessControlAllowOrigin] == Self.page)
        #expect(answer.headers[.accessControlAllowMethods] == "GET, HEAD, POST, PUT, PATCH, DELETE")
        let allowed = try #require(answer.headers[.accessControlAllowHeaders]).split(separator: ", ")
        #expect(Set(["authorization", "content-type", "if-match", "idempotency-key"]).isSubset(of: allowed))
        #expect(!allowed.contains("x-api-key"))
        #expect(answer.headers[.accessControlAllowCredentials] == nil)
        #expect(answer.headers[.accessControlMaxAge] == "600")
        #expect(answer.headers[.vary] == "Origin")
      }
    }
  }

  @Test func `the headers that pages may send and read are those that the document lists`() async throws {
    let document = try Repository.text("docs/api.md")
    let match = try #require(
      document.firstMatch(of: /requests may have the headers([^;]+);[^.]+\. They can read([^.]+)\./)
    )
    let (sent, read) = (Self.listed(match.1), Self.listed(match.2))
    try await withOrigins { gateway in
      let preflight = try await gateway.call(.options, "/catalogue", headers: Self.asking)
      #expect(try Self.names(preflight.headers[.accessControlAllowHeaders]) == sent)
      let answer = try await gateway.call(.get, "/catalogue", headers: [.origin: Self.page])
      #expect(try Self.names(answer.headers[.accessControlExposeHeaders]) == read)
    }
  }

  private static func listed(_ text: Substring) -> Set<String> {
    Set(text.matches(of: /`([^`]+)`/).map { $0.1.lowercased() })
  }

  private static func names(_ header: String?) throws -> Set<String> {
    Set(try #require(header).split(separator: ", ").map { $0.lowercased() })
  }

  @Test func `a page of a listed origin may read every answer, errors too`() async throws {
    try await withOrigins { gateway in
      for (origin, path) in [
        (Self.page, "/catalogue"), ("http://localhost:5173", "/api/v1/devices"), ("HTTPS://App.Example", "/nothing"),
      ] {
        let answer = try await gateway.call(.get, path, headers: [.origin: origin])
        #expect(answer.headers[.accessControlAllowOrigin] == origin)
        let exposed = try #require(answer.headers[.accessControlExposeHeaders]).split(separator: ", ")
        #expect(
          Set(["ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"]).isSubset(of: exposed)
        )
        #expect(answer.headers[.vary] == "Origin")
      }
    }
  }

  @Test(arguments: ["https://evil.example", "https://app.example.evil.example", "http://app.example", "null", ""])
  func `no other page may`(_ origin: String) async throws {
    try await withOrigins { gateway in
      var asking = Self.asking
      asking[.origin] = origin
      let preflight = try await gateway.call(.options, "/api/v1/devices", headers: asking)
      let answer = try await gateway.call(.get, "/catalogue", headers: [.origin: origin]).expect(.ok)
      for answer in [preflight, answer] {
        #expect(answer.headers[.accessControlAllowOrigin] == nil)
        #expect(answer.headers[.accessControlAllowMethods] == nil)
        #expect(answer.headers[.vary] == "Origin")
      }
    }
  }

  @Test func `an OPTIONS that no browser asks before a request is a method like any other`() async throws {
    try await withOrigins { gateway in
      for headers in [[:], [.origin: Self.page]] as [HTTPFields] {
        try await gateway.call(.options, "/api/v1/devices", headers: headers)
          .expectProblem("method-not-allowed", .methodNotAllowed)
      }
    }
  }

  @Test func `without listed origins nothing is said of it`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(.options, "/api/v1/devices", headers: Self.asking)
        .expectProblem("method-not-allowed", .methodNotAllowed)
      let answer = try await gateway.call(.get, "/catalogue", headers: [.origin: Self.page]).expect(.ok)
      #expect(answer.headers[.accessControlAllowOrigin] == nil && answer.headers[.vary] == nil)
    }
  }
}
