import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import Gateway

/// Who may call what, and how fast.
@Suite struct AccessTests {
  private static let id = "019a8b7c-6d5e-7f40-8123-456789abcdef"

  static func routes(where isMeant: (Access) -> Bool) throws -> [Route] {
    try TestGateway.routes().filter { isMeant($0.access) }
  }

  static func ofServices() throws -> [Route] {
    try routes { if case .service = $0 { true } else { false } }
  }

  /// A receipt is what proves who reports, and a link who unsubscribes.
  @Test(arguments: try routes { $0 == .open }.filter { $0.method == .get && !$0.path.hasSuffix("/:token") })
  func `what is open needs no token`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      _ = try await gateway.call(route.method, route.example).expect(.ok)
    }
  }

  @Test(arguments: try routes { $0 != .open })
  func `nobody is let in without a valid token, and is told how to bring one`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let none = try await gateway.call(route.method, route.example)
      try none.expectProblem("unauthorized", .unauthorized)
      #expect(none.headers[.wwwAuthenticate] == "Bearer")
      let token = try TokenMinter.mint(secret: "another secret of thirty-two bytes", subject: Self.id)
      let stranger = Caller(id: UserID(UUID()), token: token)
      try await gateway.call(route.method, route.example, as: stranger).expectProblem("unauthorized", .unauthorized)
    }
  }

  @Test(arguments: try routes { $0 == .user })
  func `what concerns a user needs a token that names one`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      for role in [Role.service, .admin] {
        let caller = try await Caller.service(role: role)
        try await gateway.call(route.method, route.example, as: caller).expectProblem("forbidden", .forbidden)
      }
      let answer = try await gateway.call(route.method, route.example, as: .user())
      #expect(answer.status != .forbidden)
    }
  }

  @Test(arguments: try ofServices())
  func `what concerns others needs a service's token`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(route.method, route.example, as: .user(), body: "{}")
        .expectProblem("forbidden", .forbidden)
      for role in [Role.service, .admin] {
        let answer = try await gateway.call(route.method, route.example, as: .service(role: role), body: "{}")
        #expect(answer.status != .forbidden)
      }
    }
  }

  @Test(arguments: try routes { $0 == .admin })
  func `what shows what people chose needs an admin's token`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let body = route.method == .get ? nil : "{}"
      for caller in [try await Caller.user(), try await Caller.service()] {
        try await gateway.call(route.method, route.example, as: caller, body: body)
          .expectProblem("forbidden", .forbidden)
      }
      let answer = try await gateway.call(route.method, route.example, as: .service(role: .admin), body: body)
      #expect(answer.status != .forbidden)
    }
  }

  @Test(arguments: Scope.allCases)
  func `a key may do what a service may, within its scopes`(_ scope: Scope) throws {
    func key(_ scopes: Set<Scope>) -> Principal {
      Principal(userID: nil, subject: "key:1", roles: [.service], scopes: scopes)
    }
    try Access.service(scope).check(key([scope]))
    try Access.service(scope).check(key(Set(Scope.allCases)))
    for (access, scopes) in [
      (Access.service(scope), Set(Scope.allCases).subtracting([scope])), (.service(scope), []),
      (.user, [scope]), (.admin, [scope]),
    ] {
      let refusal = #expect(throws: Problem.self) { try access.check(key(scopes)) }
      #expect(refusal?.status == .forbidden)
    }
  }

  @Test func `a user is held to the rate on every call together, a service and other users are not`() async throws {
    try await TestGateway.with(userRate: 2) { gateway in
      let ann = try await Caller.user()
      for number in 0..<4 {
        let device = #"{"token":"token \#(number)","platform":1}"#
        _ = try await gateway.call(.post, "/api/v1/devices", as: ann, body: device).expect(.ok)
      }
      let refused = try await gateway.call(.post, "/api/v1/devices", as: ann, body: #"{"token":"t","platform":1}"#)
      try refused.expectProblem("too-many-requests", .tooManyRequests)
      #expect(refused.headers[.retryAfter] == "1")
      try await gateway.call(.get, "/api/v1/devices", as: ann).expectProblem("too-many-requests", .tooManyRequests)
      _ = try await gateway.call(.get, "/api/v1/devices", as: .user()).expect(.ok)
      let shop = try await Caller.service()
      for _ in 0..<20 {
        _ = try await gateway.call(.put, "/api/v1/groups/g", as: shop, body: #"{"members":[]}"#).expect(.ok)
      }
    }
  }

  @Test func `what does not exist is a problem document too`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      for path in ["/", "/api/v1/nothing", "/api/v1/notifications/no-id", "/api/v1/notifications/\(Self.id)"] {
        try await gateway.call(.get, path, as: ann).expectProblem("not-found", .notFound)
      }
    }
  }

  @Test func `health says whether the gateway is alive and ready, without a token`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let live = try await gateway.call(.get, "/health/live").expect(.ok)
      #expect(live.text == #"{"status":"ok"}"#)
      let ready = try await gateway.call(.get, "/health/ready").expect(.ok)
      #expect(ready.text == #"{"status":"ready"}"#)
    }
    try await TestGateway.withoutDatabase(isReady: false) { gateway in
      _ = try await gateway.call(.get, "/health/live").expect(.ok)
      let ready = try await gateway.call(.get, "/health/ready").expect(.serviceUnavailable)
      #expect(ready.text == #"{"status":"not ready","failing":["database"]}"#)
    }
  }
}
