import Foundation
import HTTPTypes
import NotificationModel
import Postgres
import ServiceRuntime
import TestSupport
import Testing

@testable import Gateway

/// `POST /api/v1/receipts/{receipt}`
@Suite struct ReceiptRouteTests {
  private func path(
    _ user: UserID,
    _ notification: NotificationID,
    device: DeviceID = DeviceID(UUID()),
    expiry: Date = .now + 60,
    keys: ReceiptKeys = TestGateway.receipts
  ) -> String {
    let receipt = DeliveryReceipt(user: user, notification: notification, device: device, expiry: expiry)
    return "/api/v1/receipts/\(keys.text(of: receipt) ?? "")"
  }

  /// Displayed, opened, and buttons used, by the statistics.
  private func counted(_ gateway: TestGateway) async throws -> [Int] {
    let row = try #require(
      try await gateway.database.query(
        """
        SELECT coalesce(sum(displayed), 0)::int8, coalesce(sum(opened) FILTER (WHERE channel = 0), 0)::int8,
          coalesce(sum(acted) FILTER (WHERE channel = 0), 0)::int8 FROM stats
        """
      ).first
    )
    return [try row.get(0), try row.get(1), try row.get(2)]
  }

  @Test func `a device reports without a token, and each device and event counts once`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let type = try #require(try TestGateway.catalogue.get().types.first { !$0.actions.isEmpty })
      let id = try await gateway.store(1, for: ann.id, type: type.code)[0]
      let (phone, browser) = (path(ann.id, id), path(ann.id, id))
      for device in [phone, phone, browser] {
        let answer = try await gateway.call(.post, device, body: #"{"event":"displayed"}"#).expect(.noContent)
        #expect(answer.body.isEmpty)
      }
      #expect(try await counted(gateway) == [2, 0, 0])
      #expect(try gateway.published().isEmpty, "nothing in the inbox has changed")
      for device in [phone, browser] {
        _ = try await gateway.call(.post, device, body: #"{"event":"opened"}"#).expect(.noContent)
      }
      #expect(try await counted(gateway) == [2, 1, 0])
      let item = try await gateway.call(.get, "/api/v1/notifications/\(id)", as: ann).expect(.ok).json()
      #expect(item["openedAt"] is String && item["seenAt"] is String)
      let tap = #"{"event":"opened","action":"\#(type.actions[0].id)"}"#
      for _ in 0..<2 { _ = try await gateway.call(.post, phone, body: tap).expect(.noContent) }
      #expect(try await counted(gateway) == [2, 1, 1])
    }
  }

  @Test func `what is forged, expired, of another secret or no receipt at all is not found`() async throws {
    let (user, id) = (UserID(UUID()), NotificationID(request: RequestID(now: .now), recipient: UserID(UUID())))
    let good = path(user, id)
    let changed = good.dropLast() + (good.hasSuffix("A") ? "B" : "A")
    let other = ReceiptKeys(["another secret of receipts, forty bytes!"])
    try await TestGateway.withoutDatabase { gateway in
      for path in [
        String(changed), path(user, id, expiry: .now - 1), path(user, id, keys: other), "/api/v1/receipts/x",
        "/api/v1/receipts/\(String(repeating: "A", count: 10_000))",
      ] {
        // Whatever the body is.
        for body in [#"{"event":"displayed"}"#, "{"] {
          try await gateway.call(.post, path, body: body).expectProblem("not-found", .notFound)
        }
      }
    }
  }

  @Test(arguments: [
    ("{}", ["event"]), (#"{"event":"clicked"}"#, ["event"]), (#"{"event":7}"#, ["event"]),
    (#"{"event":"displayed","action":"GO"}"#, ["action"]), (#"{"event":"opened","action":7}"#, ["action"]),
    (#"{"event":"opened","action":"\#(String(repeating: "a", count: 65))"}"#, ["action"]),
  ])
  func `a report that is none is refused by the field's name`(_ body: String, _ fields: [String]) async throws {
    let path = path(UserID(UUID()), NotificationID(request: RequestID(now: .now), recipient: UserID(UUID())))
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `a report of more than 4,096 bytes is refused`() async throws {
    let path = path(UserID(UUID()), NotificationID(request: RequestID(now: .now), recipient: UserID(UUID())))
    let body = #"{"event":"displayed","more":"\#(String(repeating: "x", count: 4_096))"}"#
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(.post, path, body: body).expectProblem("too-large", .contentTooLarge)
    }
  }

  @Test func `a button that the notification does not have is refused, and a notification that is gone is not`()
    async throws
  {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(1, for: ann.id)[0]
      let receipt = path(ann.id, id)
      let answer = try await gateway.call(.post, receipt, body: #"{"event":"opened","action":"NOTHING"}"#)
      #expect(try answer.expectProblem("validation", .badRequest) == ["action"])
      _ = try await gateway.call(.delete, "/api/v1/notifications/\(id)", as: ann).expect(.noContent)
      _ = try await gateway.call(.post, receipt, body: #"{"event":"opened"}"#).expect(.noContent)
      let gone = path(ann.id, NotificationID(request: RequestID(now: .now), recipient: ann.id))
      for event in ["displayed", "opened"] {
        _ = try await gateway.call(.post, gone, body: #"{"event":"\#(event)"}"#).expect(.noContent)
      }
      #expect(try await counted(gateway) == [0, 0, 0])
    }
  }

  @Test func `a user's receipts are taken as fast as their other requests, and no faster`() async throws {
    try await TestGateway.with(userRate: 2) { gateway in
      let (ann, ben) = (try await Caller.user(), try await Caller.user())
      let id = try await gateway.store(1, for: ann.id)[0]
      for left in (0..<4).reversed() {
        let body = left == 3 ? "{}" : #"{"event":"displayed"}"#
        let answer = try await gateway.call(.post, path(ann.id, id), body: body)
          .expect(left == 3 ? .badRequest : .noContent)
        #expect(answer.headers[.rateLimit] == "\"receipts\";r=\(left);t=1")
      }
      let receipt = path(ann.id, id)
      let refused = try await gateway.call(.post, receipt, body: #"{"event":"displayed"}"#)
      try refused.expectProblem("too-many-requests", .tooManyRequests)
      #expect(refused.headers[.retryAfter] == "1" && refused.headers[.accessControlAllowOrigin] == "*")
      #expect(try await counted(gateway) == [3, 0, 0])
      // What others do with a receipt takes nothing from its user, nor from anybody else.
      _ = try await gateway.call(.get, "/api/v1/notifications/unread-count", as: ann).expect(.ok)
      _ = try await gateway.call(.post, path(ben.id, id), body: #"{"event":"displayed"}"#).expect(.noContent)
    }
  }

  @Test func `without secrets there are no receipts`() async throws {
    try await TestGateway.with(receipts: .none) { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(1, for: ann.id)[0]
      try await gateway.call(.post, path(ann.id, id), body: #"{"event":"displayed"}"#)
        .expectProblem("not-found", .notFound)
    }
  }

  @Test(arguments: ["", "https://app.example"])
  func `pages of every origin may report, and read nothing else`(_ origins: String) async throws {
    let receipt = path(UserID(UUID()), NotificationID(request: RequestID(now: .now), recipient: UserID(UUID())))
    let edge = EdgeConfiguration(allowedOrigins: try #require(AllowedOrigins(origins)))
    try await TestGateway.withoutDatabase(edge: edge) { gateway in
      let asking: HTTPFields = [.origin: "https://other.example", .accessControlRequestMethod: "POST"]
      let preflight = try await gateway.call(.options, receipt, headers: asking)
      #expect(preflight.status == .noContent)
      #expect(preflight.headers[.accessControlAllowOrigin] == "*")
      #expect(preflight.headers[.accessControlAllowMethods] == "POST")
      #expect(preflight.headers[.accessControlAllowHeaders] == "content-type")
      let refused = try await gateway.call(.post, receipt, headers: [.origin: "https://other.example"], body: "{}")
      #expect(refused.status == .badRequest && refused.headers[.accessControlAllowOrigin] == "*")
      let other = try await gateway.call(.get, "/api/v1/devices", headers: [.origin: "https://other.example"])
      #expect(other.headers[.accessControlAllowOrigin] == nil)
    }
  }
}
