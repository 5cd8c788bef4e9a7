import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// `/api/v1/admin/suppressions`
@Suite struct SuppressionRouteTests {
  private let path = "/api/v1/admin/suppressions"

  private func admin() async throws -> Caller { try await .service("ops", role: .admin) }

  /// A notification whose mail was left out because the address is suppressed.
  private func leaveOutMail(of user: UserID, at now: Date, _ gateway: TestGateway) async throws {
    let type = try #require(try TestGateway.catalogue.get().type(.code(10)))
    let content = NotificationContent(
      type: type,
      text: .init(title: "Title", body: "Body"),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: now,
      expiresAt: now + 86_400
    )
    let request = RequestID(now: now)
    let notification = NewNotification(
      id: NotificationID(request: request, recipient: user),
      userID: user,
      requestID: request,
      content: 0,
      plan: PerChannel(inApp: .deliver, push: .skip(.muted), email: .skip(.emailSuppressed))
    )
    _ = try await NotificationStore(client: gateway.database).store([notification], contents: [content])
  }

  @Test func `an address is added once, found in whatever case its domain is written, and removed`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await admin()
      let body = #"{"address":"Ann@EXAMPLE.org","reason":"manual"}"#
      let made = try await gateway.call(.post, path, as: admin, body: body).expect(.created)
      let suppression = try made.json()
      #expect(suppression["address"] as? String == "Ann@example.org" && suppression["reason"] as? String == "manual")
      #expect(suppression["source"] as? String == "admin" && suppression["diagnostic"] is NSNull)
      #expect(suppression["userId"] is NSNull)
      let again = try await gateway.call(.post, path, as: admin, body: #"{"address":"Ann@example.org"}"#).expect(.ok)
      #expect(again.text == made.text)
      let found = try await gateway.call(.get, "\(path)?address=Ann%40Example.ORG", as: admin).expect(.ok)
      #expect(found.text == #"{"suppressions":[\#(made.text)],"hasMore":false,"next":null}"#)
      _ = try await gateway.call(.delete, "\(path)/Ann%40EXAMPLE.org", as: admin).expect(.noContent)
      try await gateway.call(.delete, "\(path)/Ann@example.org", as: admin).expectProblem("not-found", .notFound)
      #expect(try await gateway.call(.get, path, as: admin).expect(.ok).list("suppressions").isEmpty)
      let lines = try await AuditStore(client: gateway.database).page(before: nil, limit: 9).entries
      #expect(lines.map(\.action) == ["suppression.remove", "suppression.add"])
      #expect(lines.allSatisfy { $0.subject == "Ann@example.org" && $0.actor == "ops" && $0.requestID != nil })
    }
  }

  @Test func `the list says who said what of whom, and comes in pages by reason`() async throws {
    try await TestGateway.with { gateway in
      let (admin, user) = (try await admin(), UserID(UUID()))
      let store = SuppressionStore(client: gateway.database)
      let now = Date(timeIntervalSince1970: 1_764_000_000)
      let notification = NotificationID(request: RequestID(now: .now), recipient: user)
      var evidence = (0..<5).map { number in
        SuppressionEvidence(
          address: "user\(number)@example.org",
          kind: .permanent("5.1.1"),
          source: "dsn",
          diagnostic: "550 unknown \u{1B}[31m",
          at: now + Double(number),
          deliveryOf: (user, notification)
        )
      }
      evidence.append(SuppressionEvidence(address: "ann@example.org", kind: .complaint, source: "ses", at: now + 9))
      try await store.record(evidence)
      var next = ""
      var addresses: [String] = []
      repeat {
        let page = try await gateway.call(.get, "\(path)?reason=hardBounce&pageSize=2\(next)", as: admin).expect(.ok)
        for entry in try page.list("suppressions") {
          addresses.append(entry["address"] as? String ?? "")
          #expect(entry["userId"] as? String == user.description && entry["source"] as? String == "dsn")
          #expect(entry["diagnostic"] as? String == "550 unknown  [31m")
        }
        next = try (page.json()["next"] as? String).map { "&after=\($0)" } ?? ""
      } while !next.isEmpty
      #expect(addresses == (0..<5).reversed().map { "user\($0)@example.org" })
      let first = try await gateway.call(.get, "\(path)?pageSize=1", as: admin).expect(.ok).list("suppressions")
      #expect(first.map { $0["reason"] as? String } == ["complaint"])
      #expect(first.first?["since"] as? String == "2025-11-24T16:00:09.000Z")
    }
  }

  @Test(arguments: [
    (#"{}"#, "address"), (#"{"address":"ann"}"#, "address"), (#"{"address":"a b@c"}"#, "address"),
    (#"{"address":"ann@example.org","reason":"hardBounce"}"#, "reason"), (#"{"address":7}"#, "address"),
    (#"{"address":"ann@example.org","note":"x"}"#, "note"),
  ])
  func `what cannot be added is refused, and the field named`(_ body: String, _ field: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: admin(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == [field])
    }
  }

  @Test(arguments: [
    ("after=x", "after"), ("after=MQpxCjE5OTk5OTk5", "after"), ("reason=spam", "reason"), ("reason=3", "reason"),
    ("address=ann", "address"), ("address=a%00@b", "address"), ("pageSize=0", "pageSize"),
  ])
  func `a page that there cannot be is refused`(_ query: String, _ field: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "\(path)?\(query)", as: admin())
      #expect(try answer.expectProblem("validation", .badRequest) == [field])
    }
  }

  @Test(arguments: ["ann", "@", "a@b@c", "m%C3%A9@example.org", "a%20b@example.org"])
  func `what is no address is not there`(_ address: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(.delete, "\(path)/\(address)", as: admin()).expectProblem("not-found", .notFound)
    }
  }

  @Test func `an explanation says since when the address is suppressed, and so does what was left out for it`()
    async throws
  {
    let now = Date.now
    try await TestGateway.with(clock: { now }) { gateway in
      let (admin, ann) = (try await admin(), UserID(UUID()))
      let body = #"{"email":"ann@example.org","timezone":"Europe/Berlin"}"#
      _ = try await gateway.call(.put, "/api/v1/users/\(ann)", as: .service(), body: body).expect(.created)
      let choice = #"{"preferences":[{"notificationType":10,"emailEnabled":true}]}"#
      _ = try await gateway.call(.put, "/api/v1/notifications/preferences", as: .user(ann), body: choice).expect(.ok)
      let since = Date(timeIntervalSince1970: 1_764_000_000)
      try await SuppressionStore(client: gateway.database).record([
        SuppressionEvidence(address: "ann@example.org", kind: .permanent("5.1.1"), source: "smtp", at: since)
      ])
      let asked = #"{"userId":"\#(ann)","type":10,"data":{"amount":"$1","balance":"$2"}}"#
      let explained = try await gateway.call(.post, "/api/v1/admin/explain", as: admin, body: asked).expect(.ok)
      try await leaveOutMail(of: ann, at: now, gateway)
      let history = try await gateway.call(.get, "/api/v1/admin/notifications?user=\(ann)", as: admin).expect(.ok)
      let past = try #require(try history.list("notifications").first?["channels"] as? [[String: Any]])
      for channels in [try explained.list("channels"), past] {
        let email = try #require(channels.last)
        #expect(email["reason"] as? String == "emailSuppressed")
        #expect(email["since"] as? String == "2025-11-24T16:00:00.000Z")
        let words = "email left out: the email address bounced (suppressed since 2025-11-24 17:00 Europe/Berlin)"
        #expect(email["words"] as? String == words)
        #expect(channels.dropLast().allSatisfy { $0["since"] == nil })
      }
    }
  }

  @Test func `who complained gets no mails that may be unsubscribed, and the others`() async throws {
    let catalogue = try Catalogue(
      overrides: OwnCatalogue.head + """
        categories: [{ name: Offers, mail: { unsubscribe: true } }, { name: Orders }]
        defaults: { channels: { inApp: true, email: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
        types: [{ code: 1, name: PriceFell, category: Offers }, { code: 2, name: Shipped, category: Orders }]
        """
    )
    try await TestGateway.with(catalogue: catalogue) { gateway in
      let (admin, ann) = (try await admin(), UserID(UUID()))
      let body = #"{"email":"ann@example.org"}"#
      _ = try await gateway.call(.put, "/api/v1/users/\(ann)", as: .service(), body: body).expect(.created)
      try await SuppressionStore(client: gateway.database).record([
        SuppressionEvidence(address: "ann@example.org", kind: .complaint, source: "ses", at: .now)
      ])
      for (type, decision, rule) in [("PriceFell", "skip", "reachable"), ("Shipped", "deliver", nil as String?)] {
        let asked = #"{"userId":"\#(ann)","type":"\#(type)"}"#
        let answer = try await gateway.call(.post, "/api/v1/admin/explain", as: admin, body: asked).expect(.ok)
        let email = try #require(try answer.list("channels").last)
        #expect(email["decision"] as? String == decision && email["rule"] as? String == rule, "\(answer.text)")
        #expect((email["since"] != nil) == (decision == "skip"))
      }
    }
  }
}
