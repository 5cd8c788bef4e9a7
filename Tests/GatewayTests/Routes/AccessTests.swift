import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import Gateway

/// Who may call what, and how fast.
@Suite struct AccessTests {
  /// A call of the API.
  struct Route: Sendable, CustomTestStringConvertible {
    let method: HTTPRequest.Method
    let path: String

    init(_ method: HTTPRequest.Method, _ path: String) {
      self.method = method
      self.path = "/api/v1/\(path)"
    }

    var testDescription: String { "\(method) \(path)" }
  }

  private static let id = "019a8b7c-6d5e-7f40-8123-456789abcdef"

  static let ofUsers = [
    Route(.get, "notifications"), Route(.get, "notifications/unread-count"),
    Route(.get, "notifications/changes?since=0"),
    Route(.get, "notifications/preferences"), Route(.put, "notifications/preferences"),
    Route(.get, "notifications/\(id)"), Route(.patch, "notifications/\(id)/read"), Route(.post, "notifications/read"),
    Route(.get, "devices"), Route(.post, "devices"),
  ]
  static let ofServices = [
    Route(.post, "notifications"), Route(.post, "events"), Route(.put, "users/\(id)"), Route(.put, "groups/g"),
    Route(.get, "requests/\(id)"), Route(.delete, "requests/\(id)"), Route(.get, "schedules"),
    Route(.get, "schedules/k"), Route(.put, "schedules/k"), Route(.delete, "schedules/k"),
  ]

  static let ofAdmins = [
    Route(.post, "admin/explain"), Route(.get, "admin/schedules?pageSize=0"), Route(.get, "admin/notifications"),
    Route(.get, "admin/notifications/\(id)"),
  ]

  @Test(arguments: ofUsers + ofServices + ofAdmins)
  func `nobody is let in without a valid token, and is told how to bring one`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let none = try await gateway.call(route.method, route.path)
      try none.expectProblem("unauthorized", .unauthorized)
      #expect(none.headers[.wwwAuthenticate] == "Bearer")
      let token = try await TokenMinter.mint(secret: "another secret of thirty-two bytes", subject: Self.id)
      let stranger = Caller(id: UserID(UUID()), token: token)
      try await gateway.call(route.method, route.path, as: stranger).expectProblem("unauthorized", .unauthorized)
    }
  }

  @Test(arguments: ofUsers)
  func `what concerns a user needs a token that names one`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(route.method, route.path, as: .service()).expectProblem("forbidden", .forbidden)
    }
  }

  @Test(arguments: ofServices)
  func `what concerns others needs a service's token`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(route.method, route.path, as: .user(), body: "{}").expectProblem("forbidden", .forbidden)
      for role in [Role.service, .admin] {
        let answer = try await gateway.call(route.method, route.path, as: .service(role: role), body: "{}")
        #expect(answer.status != .forbidden)
      }
    }
  }

  @Test(arguments: ofAdmins)
  func `what shows what people chose needs an admin's token`(_ route: Route) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let body = route.method == .get ? nil : "{}"
      for caller in [try await Caller.user(), try await Caller.service()] {
        try await gateway.call(route.method, route.path, as: caller, body: body).expectProblem("forbidden", .forbidden)
      }
      let answer = try await gateway.call(route.method, route.path, as: .service(role: .admin), body: body)
      try answer.expectProblem("validation", .badRequest)
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
      try await gateway.call(.delete, "/api/v1/devices", as: ann).expectProblem("not-found", .notFound)
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
