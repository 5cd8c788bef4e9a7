import Authentication
import Foundation
import HTTPTypes
import BelfryJSON
import NotificationModel
import NotificationStore
import TestSupport
import Testing
import WallClock

@testable import Gateway

/// Which lines the audit log has of admins.
@Suite struct AuditRouteTests {
  /// What the line says of an admin who asks this route for another's. Others that an admin may ask leave none.
  private static let actions = [
    "DELETE /api/v1/users/:id": "user.erase",
    "GET /api/v1/users/:id/export": "user.export",
    "PUT /api/v1/schedules/:key": "schedule.put",
    "DELETE /api/v1/schedules/:key": "schedule.delete",
    "DELETE /api/v1/requests/:id": "request.cancel",
    "POST /api/v1/notifications/test": "send.test",
    "POST /api/v1/admin/api-keys": "apiKey.create",
    "DELETE /api/v1/admin/api-keys/:id": "apiKey.revoke",
    "PUT /api/v1/admin/catalogue": "catalogue.apply",
    "POST /api/v1/admin/catalogue/versions/:number/rollback": "catalogue.rollback",
    "POST /api/v1/admin/dead-letters/redrive": "deadLetters.redrive",
    "POST /api/v1/admin/dead-letters/discard": "deadLetters.discard",
    "POST /api/v1/admin/explain": "user.explain",
    "GET /api/v1/admin/notifications": "user.notifications",
    "GET /api/v1/admin/notifications/:id": "user.notification",
    "GET /api/v1/admin/deliveries": "user.deliveries",
    "POST /api/v1/admin/suppressions": "suppression.add",
    "DELETE /api/v1/admin/suppressions/:address": "suppression.remove",
  ]

  /// What changes something and leaves none: what is sent in the caller's own name, or nobody; and the directory, which is the
  /// services' together.
  private static let unwritten: Set = [
    "POST /api/v1/notifications", "POST /api/v1/notifications/bulk", "POST /api/v1/events",
    "POST /api/v1/admin/preview",
    "PUT /api/v1/users/:id", "PATCH /api/v1/users/:id", "PUT /api/v1/groups/:id", "DELETE /api/v1/groups/:id",
    "POST /api/v1/groups/:id/members", "PUT /api/v1/groups/:id/members/:userId",
    "DELETE /api/v1/groups/:id/members/:userId",
    "PUT /api/v1/topics/:topic/users/:userId", "DELETE /api/v1/topics/:topic/users/:userId",
    "PUT /api/v1/topics/:topic/devices/:id", "DELETE /api/v1/topics/:topic/devices/:id",
    "POST /api/v1/webhooks/bounces/mail",
  ]

  private static func isAdmins(_ route: Route) -> Bool {
    switch route.access {
    case .open, .user: false
    case .service, .admin: true
    }
  }

  @Test func `whatever an admin may change is written down, or is known not to be another's`() throws {
    let changing = try TestGateway.routes().filter { Self.isAdmins($0) && $0.method != .get }.map(\.name)
    let written = Self.actions.keys.filter { !$0.hasPrefix("GET ") }
    #expect(Set(changing) == Self.unwritten.union(written))
  }

  @Test func `an admin who asks for another's leaves one line, with the request`() async throws {
    try await RouteCase.gateway { gateway in
      let admin = try await Caller.service("root", role: .admin)
      let audit = AuditStore(client: gateway.database)
      for route in try TestGateway.routes() where Self.isAdmins(route) {
        var ask = try await RouteCase.of(route).ask(gateway, try await route.caller())
        if route.path.contains("/schedules") { ask.path = "\(ask.path ?? route.path)?owner=shop" }
        if route.path.hasSuffix("/deliveries") { ask.path = "\(route.path)?user=\(UUID().lowercased)" }
        if route.path.hasSuffix("/explain") {
          ask.body = #"{"userId":"\#(UUID().lowercased)","type":99,"title":"Bins","body":"Tonight"}"#
        }
        let last = try await audit.page(before: nil, limit: 1).entries.first?.id ?? 0
        let answer = try await gateway.call(route, ask, headers: admin.headers)
        #expect(answer.status.kind == .successful, "\(route.name): \(answer.status) \(answer.text)")
        let lines = try await audit.page(before: nil, limit: 9).entries.filter { $0.id > last }
        #expect(lines.map(\.action) == [Self.actions[route.name]].compactMap(\.self), "\(route.name)")
        #expect(lines.allSatisfy { $0.actor == "root" && $0.requestID?.isEmpty == false }, "\(route.name)")
      }
    }
  }

  @Test func `of a schedule the line says whose it is; of one's own, and where nothing changes, there is none`()
    async throws
  {
    try await TestGateway.with { gateway in
      let audit = AuditStore(client: gateway.database)
      let (shop, root) = (try await Caller.service(), try await Caller.service("root", role: .admin))
      let body =
        #"{"to":{"group":"family:demo"},"type":99,"title":"Bins","body":"Tonight","recurrence":"FREQ=DAILY","time":"19:00"}"#
      for caller in [shop, root] {
        _ = try await gateway.call(.put, "/api/v1/schedules/bins", as: caller, body: body).expect(.created)
      }
      let path = "/api/v1/schedules/bins?owner=shop"
      _ = try await gateway.call(.put, path, as: root, body: body).expect(.ok)
      _ = try await gateway.call(.delete, "/api/v1/schedules/bins", as: root).expect(.noContent)
      #expect(try await audit.page(before: nil, limit: 9).entries.isEmpty)
      let other = body.replacingOccurrences(of: "19:00", with: "20:00")
      let key = try #require(HTTPField.Name("Idempotency-Key"))
      // The repetition changes nothing.
      for _ in 0..<2 {
        _ = try await gateway.call(.put, path, as: root, headers: [key: "k-1"], body: other).expect(.ok)
      }
      _ = try await gateway.call(.delete, path, as: root).expect(.noContent)
      let lines = try await audit.page(before: nil, limit: 9).entries
      #expect(lines.map(\.action) == ["schedule.delete", "schedule.put"])
      #expect(lines.allSatisfy { $0.actor == "root" && $0.subject == "shop" && $0.detail?["key"]?.string == "bins" })
    }
  }

  @Test func `of a request the line says whether it was withdrawn; of one's own, and of a service's, there is none`()
    async throws
  {
    try await TestGateway.with { gateway in
      let audit = AuditStore(client: gateway.database)
      let (shop, root) = (try await Caller.service(), try await Caller.service("root", role: .admin))
      let sendAt = (Date.now + 86_400).rfc3339
      func send(as caller: Caller) async throws -> String {
        let body =
          #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":12,"sendAt":"\#(sendAt)"}"#
        let answer = try await gateway.call(.post, "/api/v1/notifications", as: caller, body: body).expect(.accepted)
        return try #require(try answer.json()["requestId"] as? String)
      }
      for caller in [shop, root] {
        _ = try await gateway.call(.delete, "/api/v1/requests/\(try await send(as: caller))", as: caller).expect(.ok)
      }
      #expect(try await audit.page(before: nil, limit: 9).entries.isEmpty)
      let ids = [try await send(as: shop), try await send(as: shop)]
      _ = try await gateway.call(.delete, "/api/v1/requests/\(ids[0])", as: root).expect(.ok)
      _ = try await gateway.call(.delete, "/api/v1/requests/\(ids[1])?withdraw=true", as: root).expect(.ok)
      let lines = try await audit.page(before: nil, limit: 9).entries
      #expect(lines.map(\.action) == ["request.withdraw", "request.cancel"])
      #expect(lines.map(\.subject) == [ids[1], ids[0]])
    }
  }

  @Test func `an admin who reads their own leaves no line`() async throws {
    try await TestGateway.with { gateway in
      let ann = UserID(UUID())
      let admin = try await Caller.service(ann.description, role: .admin)
      let audit = AuditStore(client: gateway.database)
      for (user, count) in [(ann, 0), (UserID(UUID()), 1)] {
        _ = try await gateway.call(.get, "/api/v1/admin/notifications?user=\(user)", as: admin).expect(.ok)
        #expect(try await audit.page(before: nil, limit: 9).entries.count == count)
      }
    }
  }
}
