import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// `GET /api/v1/admin/notifications`
@Suite struct HistoryRouteTests {
  private let path = "/api/v1/admin/notifications"

  @Test func `what happened is shown per channel and target, in the person's zone`() async throws {
    try await TestGateway.with { gateway in
      let ann = UserID(UUID())
      let profile = UserStore.Profile(
        email: nil,
        displayName: nil,
        locale: nil,
        timezone: "Asia/Tokyo",
        isEnabled: true
      )
      _ = try await UserStore(client: gateway.database).put(profile, of: ann)
      let phone = try await DeviceStore(client: gateway.database)
        .register(.init(token: "secret-token", platform: .android, name: nil, appVersion: nil), of: ann)
      let type = try #require(try TestGateway.catalogue.get().type(.code(10)))
      let now = Date.now
      let request = RequestID(now: now)
      let id = NotificationID(request: request, recipient: ann)
      let content = NotificationContent(
        type: type,
        text: .init(title: "A private title", body: "A private text"),
        data: [:],
        relatedEntityType: nil,
        relatedEntityId: nil,
        collapseKey: nil,
        createdAt: now,
        expiresAt: now + 86_400
      )
      let plan = PerChannel<ChannelDecision>(
        inApp: .deliver,
        push: .deliver,
        email: .hold(until: now + 7_200, .unread)
      )
      let notification = NewNotification(id: id, userID: ann, requestID: request, content: 0, plan: plan)
      _ = try await NotificationStore(client: gateway.database).store([notification], contents: [content])
      try await DeliveryStore(client: gateway.database).record([
        .init(
          userID: ann,
          notificationID: id,
          channel: .push,
          target: phone.id.description,
          outcome: .rejected,
          reason: "UNREGISTERED",
          attempts: 1
        )
      ])
      let admin = try await Caller.service(role: .admin)
      let answer = try await gateway.call(.get, "\(path)/\(id)?user=\(ann)", as: admin).expect(.ok)
      let json = try answer.json()
      #expect(json["id"] as? String == id.description && json["userId"] as? String == ann.description)
      #expect(json["requestId"] as? String == request.description)
      #expect(json["typeName"] as? String == "AllowanceDeposit" && json["timezone"] as? String == "Asia/Tokyo")
      let channels = try answer.list("channels")
      #expect(channels.compactMap { $0["decision"] as? String } == ["deliver", "deliver", "hold"])
      let words = channels.compactMap { $0["words"] as? String }
      #expect(words[0].hasPrefix("in-app in the inbox since ") && words[0].hasSuffix("Asia/Tokyo, not read yet"))
      #expect(words[1] == "push sent, but not delivered to its only target")
      #expect(
        words[2].hasPrefix("email held until ") && words[2].hasSuffix("Asia/Tokyo: only if it is still unread by then")
      )
      #expect((channels[2]["until"] as? String)?.hasSuffix("Z") == true)
      let delivery = try #require((channels[1]["deliveries"] as? [[String: Any]])?.first)
      #expect(delivery["target"] as? String == phone.id.description)
      #expect(delivery["outcome"] as? String == "rejected" && delivery["reason"] as? String == "UNREGISTERED")
      for secret in ["secret-token", "private"] { #expect(!answer.text.contains(secret)) }
    }
  }

  @Test func `a notification is found under its own user alone`() async throws {
    try await TestGateway.with { gateway in
      let (ann, bob) = (UserID(UUID()), UserID(UUID()))
      let id = try #require(try await gateway.store(1, for: ann).first)
      let admin = try await Caller.service(role: .admin)
      _ = try await gateway.call(.get, "\(path)/\(id)?user=\(ann)", as: admin).expect(.ok)
      for absent in ["\(id)?user=\(bob)", "\(UUID())?user=\(ann)", "none?user=\(ann)"] {
        try await gateway.call(.get, "\(path)/\(absent)", as: admin).expectProblem("not-found", .notFound)
      }
      for query in ["", "?user=", "?user=a%0Ab"] {
        let answer = try await gateway.call(.get, "\(path)/\(id)\(query)", as: admin)
        #expect(try answer.expectProblem("validation", .badRequest) == ["user"])
      }
    }
  }

  @Test func `the latest are paged, the newest first`() async throws {
    try await TestGateway.with { gateway in
      let ann = UserID(UUID())
      let ids = Array(try await gateway.store(5, for: ann).reversed())
      try await gateway.store(1, for: UserID(UUID()))
      let admin = try await Caller.service(role: .admin)
      func page(_ query: String) async throws -> (ids: [String], hasMore: Bool?) {
        let answer = try await gateway.call(.get, "\(path)?user=\(ann)&\(query)", as: admin).expect(.ok)
        return (
          try answer.list("notifications").compactMap { $0["id"] as? String }, try answer.json()["hasMore"] as? Bool
        )
      }
      let first = try await page("limit=3")
      #expect(first.ids == ids.prefix(3).map(\.description) && first.hasMore == true)
      let rest = try await page("limit=3&before=\(ids[2])")
      #expect(rest.ids == ids.suffix(2).map(\.description) && rest.hasMore == false)
      let wrong = try await gateway.call(.get, "\(path)?limit=51&before=x", as: admin)
      #expect(try wrong.expectProblem("validation", .badRequest) == ["user", "before", "limit"])
    }
  }
}
