import Authentication
import Broker
import HTTPTypes
import Logging
import NotificationModel
import NotificationStore
import ServiceRuntime
import TestSupport
import Testing

@testable import Gateway

/// `X-Request-Id`
@Suite struct RequestIDTests {
  @Test func `every answer says what its request is called, as the client does or by a name of its own`() async throws {
    var edge = EdgeConfiguration(userRate: 1)
    edge.allowedOrigins = try #require(AllowedOrigins("https://app.example"))
    try await TestGateway.withoutDatabase(edge: edge) { gateway in
      let (ann, busy, shop) = (try await Caller.user(), try await Caller.user(), try await Caller.service())
      for _ in 0..<2 { _ = try await gateway.call(.get, "/api/v1/devices", as: busy) }
      let preflight: HTTPFields = [.origin: "https://app.example", .accessControlRequestMethod: "GET"]
      let long = #"{"to":"\#(String(repeating: "x", count: RequestBody.maximum))"}"#
      let cases: [(HTTPResponse.Status, HTTPRequest.Method, String, Caller?, HTTPFields, String?)] = [
        (.ok, .get, "/health/live", nil, [:], nil), (.ok, .head, "/catalogue", nil, [:], nil),
        (.noContent, .options, "/api/v1/devices", nil, preflight, nil),
        (.badRequest, .get, "/api/v1/%00", nil, [:], nil), (.unauthorized, .get, "/api/v1/devices", nil, [:], nil),
        (.forbidden, .get, "/api/v1/devices", shop, [:], nil), (.notFound, .get, "/nothing", nil, [:], nil),
        (.methodNotAllowed, .delete, "/catalogue", nil, [:], nil),
        (.contentTooLarge, .post, "/api/v1/notifications", shop, [:], long),
        (.tooManyRequests, .get, "/api/v1/devices", busy, [:], nil),
        (.serviceUnavailable, .get, "/api/v1/devices", ann, [:], nil),
      ]
      var made: Set<String> = []
      for (status, method, path, caller, headers, body) in cases {
        let answer = try await gateway.call(method, path, as: caller, headers: headers, body: body)
        #expect(answer.status == status, "\(method) \(path): \(answer.text)")
        let id = try #require(answer.headers[.requestID], "\(status)")
        #expect(RequestIdentifier.isWellFormed(id) && made.insert(id).inserted)
      }
      for (status, method, path, _, headers, _) in cases where ![.tooManyRequests, .contentTooLarge].contains(status) {
        var headers = headers
        headers[.requestID] = "order-17"
        let answer = try await gateway.call(method, path, headers: headers)
        #expect(answer.headers[.requestID] == "order-17")
      }
    }
  }

  @Test(arguments: [
    "", "a b", "a\"b", "a,b", "a\tb", "ä", "a{b}", "<a>", "a%0Ab", "a;b", String(repeating: "x", count: 129),
  ])
  func `a name that is not fit to be written down is replaced`(_ name: String) async throws {
    #expect(!RequestIdentifier.isWellFormed(name))
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/health/live", headers: [.requestID: name])
      let id = try #require(answer.headers[.requestID])
      #expect(id != name && RequestIdentifier.isWellFormed(id))
    }
  }

  @Test(arguments: [
    "5b1f7a0e-2f2b-4b6e-8a57-3a9d1d1c7e11", "Root=1-67891233:abc/+.~_@", String(repeating: "x", count: 128),
  ])
  func `a name that is fit to be written down is taken over`(_ name: String) {
    #expect(RequestIdentifier.isWellFormed(name))
  }

  @Test func `who says two names gets another`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      var headers = HTTPFields()
      for name in ["one", "two"] { headers.append(HTTPField(name: .requestID, value: name)) }
      let id = try #require(try await gateway.call(.get, "/health/live", headers: headers).headers[.requestID])
      #expect(!["one", "two"].contains(id) && RequestIdentifier.isWellFormed(id))
    }
  }

  @Test func `the log lines of a request have its name`() async throws {
    let log = LogRecorder()
    try await TestGateway.withoutDatabase(logger: log.logger) { gateway in
      let ann = try await Caller.user()
      let answer = try await gateway.call(.get, "/api/v1/devices", as: ann, headers: [.requestID: "order-17"])
      #expect(answer.status == .serviceUnavailable)
      let other = try await gateway.call(.get, "/api/v1/devices", as: ann).expect(.serviceUnavailable)
      let made = try #require(other.headers[.requestID])
      let lines = log.all.filter { $0.level == .warning && $0.text.hasPrefix("database ") }.map(\.text)
      #expect(lines.count == 2)
      #expect(lines.first?.contains("order-17") == true)
      #expect(lines.last?.contains(made) == true)
    }
  }

  @Test func `what a request could not publish to open connections is logged with its name`() async throws {
    let log = LogRecorder()
    try await TestGateway.with(logger: log.logger) { gateway in
      let ann = try await Caller.user()
      let id = try #require(try await gateway.store(1, for: ann.id).first)
      gateway.broker.failPublishes { _, _, _ in BrokerError(.timeout, "no confirm") }
      let path = "/api/v1/notifications/\(id)/read"
      _ = try await gateway.call(.patch, path, as: ann, headers: [.requestID: "read-1"]).expect(.ok)
      let lines = log.all.filter { $0.text.hasPrefix("open connections were not notified") }
      #expect(!lines.isEmpty && lines.allSatisfy { $0.text.contains("read-1") })
    }
  }

  @Test func `the audit has the name of the request that did it`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("ops", role: .admin)
      let headers: HTTPFields = [.requestID: "change-7"]
      let body = #"{"name":"shop"}"#
      _ = try await gateway.call(.post, "/api/v1/admin/api-keys", as: admin, headers: headers, body: body)
        .expect(.created)
      let entries = try await AuditStore(client: gateway.database).page(before: nil, limit: 10).entries
      #expect(entries.map(\.requestID) == ["change-7"])
    }
  }
}
