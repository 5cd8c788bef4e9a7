import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing
import WallClock

@testable import Gateway

/// `GET /api/v1/admin/deliveries`
@Suite struct DeliveryRouteTests {
  private static let path = "/api/v1/admin/deliveries"

  /// An outcome on each of `count` devices of a notification: every third rejected.
  private func record(_ count: Int, of id: NotificationID, to user: UserID, _ gateway: TestGateway) async throws {
    try await DeliveryStore(client: gateway.database).record(
      (0..<count).map { number in
        DeliveryStore.Record(
          userID: user,
          notificationID: id,
          channel: number == 1 ? .email : .push,
          target: number == 1 ? "ann@example.org" : "device \(number)",
          outcome: number % 3 == 0 ? .rejected : .delivered,
          reason: number % 3 == 0 ? "UNREGISTERED" : nil,
          providerID: number % 3 == 0 ? nil : "p-\(number)",
          attempts: 1,
          type: 10
        )
      }
    )
  }

  @Test func `a delivery is shown with its notification, its request and what became of it`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service(role: .admin)
      let ann = UserID(UUID())
      let id = try #require(try await gateway.store(1, for: ann).first)
      try await record(2, of: id, to: ann, gateway)
      let request: RequestID = try #require(
        try await gateway.database.query("SELECT request_id FROM notifications WHERE user_id = \(ann)").first
      ).get(0)
      let answer = try await gateway.call(.get, "\(Self.path)?user=\(ann)", as: admin).expect(.ok)
      #expect(try answer.json()["hasMore"] as? Bool == false && answer.json()["next"] is NSNull)
      let entries = try answer.list("deliveries")
      let rejected = try #require(entries.first { $0["outcome"] as? String == "rejected" })
      #expect(
        rejected["notificationId"] as? String == id.description && rejected["userId"] as? String == ann.description
      )
      #expect(rejected["requestId"] as? String == request.description)
      #expect(rejected["type"] as? Int == 10 && rejected["typeName"] as? String == "AllowanceDeposit")
      #expect(rejected["channel"] as? Int == 2 && rejected["channelName"] as? String == "push")
      #expect(rejected["target"] as? String == "device 0" && rejected["reason"] as? String == "UNREGISTERED")
      #expect(rejected["providerId"] is NSNull && rejected["attempts"] as? Int == 1)
      #expect(Date(rfc3339: rejected["at"] as? String ?? "") != nil)
      let delivered = try #require(entries.first { $0["outcome"] as? String == "delivered" })
      #expect(delivered["channelName"] as? String == "email" && delivered["target"] as? String == "ann@example.org")
      #expect(delivered["reason"] is NSNull && delivered["providerId"] as? String == "p-1")
      for query in ["request=\(request)", "request=\(request)&user=\(ann)", "request=\(request)&outcome=delivered"] {
        let found = try await gateway.call(.get, "\(Self.path)?\(query)", as: admin).expect(.ok).list("deliveries")
        #expect(found.count == (query.contains("outcome") ? 1 : 2), "\(query)")
      }
    }
  }

  @Test func `a push to a topic is shown with the topic, and is nobody's`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service(role: .admin)
      let request = RequestID(now: .now)
      let condition = try TopicAudience(condition: "'a' in topics || 'b' in topics")
      let push = TopicDeliveryStore.Push(NamedRequest(request, of: .anybody), to: condition, type: 10)
      _ = try await TopicDeliveryStore(client: gateway.database).note([push], now: .now)
      let record = DeliveryStore.Record(
        userID: UserID(UUID()),
        notificationID: NotificationID(request.uuid),
        channel: .push,
        target: condition.text,
        outcome: .rejected,
        reason: "INVALID_ARGUMENT",
        attempts: 1,
        audience: .condition
      )
      try await DeliveryStore(client: gateway.database).record([record])
      for query in ["", "?outcome=rejected", "?request=\(request)"] {
        let entries = try await gateway.call(.get, Self.path + query, as: admin).expect(.ok).list("deliveries")
        let entry = try #require(entries.first)
        #expect(entries.count == 1 && entry["userId"] is NSNull && entry["notificationId"] is NSNull)
        #expect(entry["requestId"] as? String == request.description && entry["channelName"] as? String == "push")
        #expect(entry["audience"] as? String == "condition" && entry["target"] as? String == condition.text)
        #expect(entry["outcome"] as? String == "rejected" && entry["reason"] as? String == "INVALID_ARGUMENT")
      }
      let user = try await gateway.call(.get, "\(Self.path)?user=\(UserID(UUID()))", as: admin).expect(.ok)
      #expect(try user.list("deliveries").isEmpty)
    }
  }

  @Test func `a push is shown with its device's provider, kind and installation, and never with the address`()
    async throws
  {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service(role: .admin)
      let (ann, app) = (UserID(UUID()), UUID())
      let id = try #require(try await gateway.store(1, for: ann).first)
      let devices = DeviceStore(client: gateway.database)
      let phone = try await devices.register(
        .init(token: "secret-fid", platform: .android, kind: .installation, installation: app),
        of: ann
      )
      let browser = try await devices.register(.init(token: "secret-endpoint", platform: .webPush), of: ann)
      let targets = [phone.id.description, browser.id.description, DeviceID(UUID()).description, "ann@example.org"]
      try await DeliveryStore(client: gateway.database).record(
        targets.enumerated().map { index, target in
          DeliveryStore.Record(
            userID: ann,
            notificationID: id,
            channel: index == 3 ? .email : .push,
            target: target,
            outcome: .delivered,
            reason: nil,
            providerID: nil,
            attempts: 1,
            type: 10
          )
        }
      )
      let list = try await gateway.call(.get, "\(Self.path)?user=\(ann)", as: admin).expect(.ok)
      let history = try await gateway.call(.get, "/api/v1/admin/notifications/\(id)?user=\(ann)", as: admin).expect(.ok)
      #expect(!list.text.contains("secret") && !history.text.contains("secret"))
      let channels = try history.list("channels")
      let told = channels.flatMap { $0["deliveries"] as? [[String: Any]] ?? [] }
      for entries in [try list.list("deliveries"), told] {
        var shown: [String: [String: String]] = [:]
        for entry in entries {
          if let target = entry["target"] as? String { shown[target] = entry["device"] as? [String: String] }
        }
        #expect(entries.count == 4)
        #expect(
          shown == [
            targets[0]: ["kind": "fcm", "addressKind": "fid", "installationId": app.uuidString.lowercased()],
            targets[1]: ["kind": "webPush"],
          ]
        )
      }
    }
  }

  @Test(arguments: ["user", "outcome"])
  func `pages follow each other by what the one before gave as next`(_ way: String) async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service(role: .admin)
      let ann = UserID(UUID())
      let id = try #require(try await gateway.store(1, for: ann).first)
      try await record(13, of: id, to: ann, gateway)
      let filter = way == "user" ? "user=\(ann)" : "outcome=rejected"
      var targets: [String] = []
      var next: String?
      var pages = 0
      repeat {
        let after = next.map { "&after=\($0)" } ?? ""
        let answer = try await gateway.call(.get, "\(Self.path)?\(filter)&pageSize=2\(after)", as: admin).expect(.ok)
        targets += try answer.list("deliveries").compactMap { $0["target"] as? String }
        next = try answer.json()["next"] as? String
        #expect(try answer.json()["hasMore"] as? Bool == (next != nil))
        pages += 1
      } while next != nil && pages < 20
      #expect(targets.count == (way == "user" ? 13 : 5))
      #expect(Set(targets).count == targets.count)
      // All are of one moment: by the channel, then by the device.
      if way == "user" { #expect(targets.first == "ann@example.org") }
    }
  }

  @Test func `only what came since is listed, if that is asked`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service(role: .admin)
      let ann = UserID(UUID())
      let id = try #require(try await gateway.store(1, for: ann).first)
      try await record(4, of: id, to: ann, gateway)
      _ = try await gateway.database.query(
        "UPDATE deliveries SET finished_at = now() - interval '2 days' WHERE target = 'device 3'"
      )
      let since = (Date.now - 86_400).rfc3339
      for (query, count) in [
        ("outcome=rejected", 2), ("outcome=rejected&since=\(since)", 1), ("user=\(ann)&since=\(since)", 3),
        // Of nobody in particular what was delivered is left out.
        ("", 2), ("since=\(since)", 1),
      ] {
        let answer = try await gateway.call(.get, "\(Self.path)?\(query)", as: admin).expect(.ok)
        #expect(try answer.list("deliveries").count == count, "\(query)")
      }
    }
  }

  @Test(arguments: [
    ("outcome=delivered", ["outcome"]), ("outcome=delivered&since=2026-11-21T00:00:00Z", ["outcome"]),
    ("outcome=pending", ["outcome"]), ("user=a%0Ab", ["user"]), ("request=1&outcome=rejected", ["request"]),
    ("outcome=expired&since=yesterday", ["since"]), ("outcome=expired&after=x", ["after"]),
    ("outcome=expired&after=MQoyCjMKNAo1", ["after"]), ("outcome=expired&pageSize=101", ["pageSize"]),
  ])
  func `what no index answers is refused by the name of the field`(_ query: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let admin = try await Caller.service(role: .admin)
      let answer = try await gateway.call(.get, "\(Self.path)?\(query)", as: admin)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `of a request to too many a user has to be named`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service(role: .admin)
      let request = RequestID(now: .now)
      _ = try await gateway.database.query(
        """
        INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at, expires_at)
        SELECT md5(n::text)::uuid, (left(belfry_uuid_at(now())::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
          \(request), 10, '', '', 0, 0, 2, 1, now(), now()
        FROM generate_series(1, \(DeliverySearch.maximumRecipients + 1)) AS n
        """
      )
      let refused = try await gateway.call(.get, "\(Self.path)?request=\(request)", as: admin)
      #expect(try refused.expectProblem("validation", .badRequest) == ["request"])
      let user = UserID(UUID())
      _ = try await gateway.call(.get, "\(Self.path)?request=\(request)&user=\(user)", as: admin).expect(.ok)
    }
  }
}
