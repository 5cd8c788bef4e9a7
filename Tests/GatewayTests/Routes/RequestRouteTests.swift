import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing
import WallClock

@testable import Gateway

/// Sends with `sendAt`, and `/api/v1/requests/{id}`.
@Suite struct RequestRouteTests {
  private func body(_ sendAt: Date) -> String {
    #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":12,"sendAt":"\#(sendAt.rfc3339)"}"#
  }

  private func send(
    _ gateway: TestGateway,
    as caller: Caller,
    _ body: String,
    key: String? = nil
  ) async throws -> (id: String, status: String) {
    let headers: HTTPFields = key.map { [.idempotencyKey: $0] } ?? [:]
    let answer = try await gateway.call(.post, "/api/v1/notifications", as: caller, headers: headers, body: body)
      .expect(.accepted).json()
    return (try #require(answer["requestId"] as? String), try #require(answer["status"] as? String))
  }

  @Test func `a send for later is stored, shown, and cancelled`() async throws {
    try await TestGateway.with { gateway in
      let (shop, bank) = (try await Caller.service(), try await Caller.service("bank"))
      let instant = Date.now + 86_400
      let (id, status) = try await send(gateway, as: shop, body(instant))
      #expect(status == "scheduled")
      #expect(gateway.ingested.isEmpty)
      let path = "/api/v1/requests/\(id)"
      let waiting = try await gateway.call(.get, path, as: shop).expect(.ok).json()
      #expect(waiting["status"] as? String == "scheduled")
      #expect(waiting["sendAt"] as? String == instant.rfc3339)
      try await gateway.call(.get, path, as: bank).expectProblem("not-found", .notFound)
      try await gateway.call(.delete, path, as: bank).expectProblem("not-found", .notFound)
      let cancelled = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
      #expect(cancelled["cancelledCount"] as? Int == 1)
      #expect(cancelled["status"] as? String == "cancelled")
      let again = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
      #expect(again["cancelledCount"] as? Int == 0)
      let gone = try await gateway.call(.get, path, as: shop).expect(.ok).json()
      #expect(gone["status"] as? String == "cancelled")
      try await gateway.call(.get, path, as: bank).expectProblem("not-found", .notFound)
      // Nothing is stored of it any more: what another asks is taken, as of any id, and withdraws nothing.
      _ = try await gateway.call(.delete, path, as: bank).expect(.ok)
      let claims = try await ScheduleStore(client: gateway.database).claim(
        .sends,
        limit: 9,
        lease: 60,
        now: instant + 1
      )
      #expect(claims.isEmpty)
    }
  }

  @Test func `what has come due is too late to cancel, and is said to be accepted`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let (id, _) = try await send(gateway, as: shop, body(.now + 60))
      let claims = try await ScheduleStore(client: gateway.database).claim(.sends, limit: 9, lease: 60, now: .now + 61)
      #expect(claims.map(\.isReleased) == [true])
      let answer = try await gateway.call(.delete, "/api/v1/requests/\(id)", as: shop).expect(.ok).json()
      #expect(answer["cancelledCount"] as? Int == 0)
      #expect(answer["status"] as? String == "accepted")
    }
  }

  @Test func `what became of a push to a topic is shown to its sender, before and after there is an outcome`()
    async throws
  {
    try await TestGateway.with { gateway in
      let (shop, bank) = (try await Caller.service(), try await Caller.service("bank"))
      let (id, status) = try await send(gateway, as: shop, #"{"to":{"topic":"news"},"type":12}"#)
      #expect(status == "accepted" && gateway.ingested.count == 1)
      let request = try #require(RequestID(id))
      let topic = try TopicAudience(topic: "news")
      let push = TopicDeliveryStore.Push(NamedRequest(request, of: .named("shop")), to: topic, type: 12)
      _ = try await TopicDeliveryStore(client: gateway.database).note([push], now: .now)
      let path = "/api/v1/requests/\(id)"
      try await gateway.call(.get, path, as: bank).expectProblem("not-found", .notFound)
      var answer = try await gateway.call(.get, path, as: shop).expect(.ok).json()
      #expect(answer["status"] as? String == "accepted" && answer["recipients"] as? Int == 0)
      var delivery = try #require(answer["topicDelivery"] as? [String: Any])
      #expect(delivery["audience"] as? String == "topic" && delivery["target"] as? String == "news")
      #expect(delivery["outcome"] as? String == "pending" && delivery["at"] is NSNull)
      let record = DeliveryStore.Record(
        userID: UserID(UUID()),
        notificationID: NotificationID(request.uuid),
        channel: .push,
        target: "news",
        outcome: .delivered,
        providerID: "projects/p/messages/1",
        attempts: 2,
        audience: .topic
      )
      try await DeliveryStore(client: gateway.database).record([record])
      answer = try await gateway.call(.get, path, as: shop).expect(.ok).json()
      delivery = try #require(answer["topicDelivery"] as? [String: Any])
      #expect(delivery["outcome"] as? String == "delivered" && delivery["attempts"] as? Int == 2)
      #expect(delivery["providerId"] as? String == "projects/p/messages/1" && delivery["reason"] is NSNull)
      #expect(Date(rfc3339: delivery["at"] as? String ?? "") != nil)
      let cancelled = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
      #expect(cancelled["cancelledCount"] as? Int == 0 && cancelled["status"] as? String == "accepted")
    }
  }

  /// What routers store of a request: one person gets a push at once, another after quiet hours.
  private func route(_ gateway: TestGateway, _ request: RequestID, of owner: RequestOwner = .named("shop")) async throws
  {
    let type = try #require(try TestGateway.catalogue.get().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Title", body: "Body", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: .now,
      expiresAt: .now + 3_600
    )
    let items = [ChannelDecision.deliver, .hold(until: .now + 600, .quietHours)].map { push in
      let user = UserID(UUID())
      return NewNotification(
        id: NotificationID(request: request, recipient: user),
        userID: user,
        requestID: request,
        owner: owner,
        content: 0,
        plan: PerChannel(inApp: .deliver, push: push, email: .skip(.preferenceOff))
      )
    }
    _ = try await NotificationStore(client: gateway.database).store(items, contents: [content])
  }

  @Test func `what became of a request is reported in numbers, and what waits is withdrawn and counted`() async throws {
    try await TestGateway.with { gateway in
      let (shop, bank) = (try await Caller.service(), try await Caller.service("bank"))
      let request = RequestID(now: .now)
      let path = "/api/v1/requests/\(request)"
      try await gateway.call(.get, path, as: shop).expectProblem("not-found", .notFound)
      try await route(gateway, request)
      for method in [HTTPRequest.Method.get, .delete] {
        try await gateway.call(method, path, as: bank).expectProblem("not-found", .notFound)
      }
      func push() async throws -> [String: Any] {
        let answer = try await gateway.call(.get, path, as: shop).expect(.ok).json()
        #expect(answer["status"] as? String == "accepted")
        #expect(answer["recipients"] as? Int == 2)
        #expect(answer["isComplete"] as? Bool == true)
        let channels = try #require(answer["channels"] as? [String: [String: Any]])
        #expect(channels["inApp"]?["delivered"] as? Int == 2)
        #expect(channels["email"]?["skipped"] as? [String: Int] == ["preferenceOff": 2])
        return try #require(channels["push"])
      }
      let before = try await push()
      #expect((before["pending"] as? Int, before["held"] as? Int) == (1, 1))
      let cancelled = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
      #expect(cancelled["cancelledCount"] as? Int == 1)
      #expect(cancelled["isComplete"] as? Bool == true)
      #expect(cancelled["status"] as? String == "accepted")
      let after = try await push()
      #expect((after["pending"] as? Int, after["held"] as? Int) == (1, 0))
      #expect(after["skipped"] as? [String: Int] == ["cancelled": 1])
      let again = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
      #expect(again["cancelledCount"] as? Int == 0)
      let answered = try await gateway.call(.get, path, as: shop).expect(.ok).json()
      #expect(answered["cancelledAt"] is String)
    }
  }

  @Test func `what is withdrawn leaves inboxes, and their connections are notified`() async throws {
    try await TestGateway.with { gateway in
      let (shop, bank) = (try await Caller.service(), try await Caller.service("bank"))
      let request = RequestID(now: .now)
      let path = "/api/v1/requests/\(request)?withdraw=true"
      try await route(gateway, request)
      try await gateway.call(.delete, path, as: bank).expectProblem("not-found", .notFound)
      let bad = try await gateway.call(.delete, "/api/v1/requests/\(request)?withdraw=perhaps", as: shop)
      #expect(try bad.expectProblem("validation", .badRequest) == ["withdraw"])
      let first = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
      #expect((first["withdrawnCount"] as? Int, first["cancelledCount"] as? Int) == (2, 1))
      #expect(first["isComplete"] as? Bool == true)
      let answered = try gateway.broker.messages(in: "realtime").map {
        try QueueCoder.decode(RealtimeMessage.self, from: $0)
      }
      let users = Set(answered.flatMap(\.changes).map(\.userId))
      #expect(users.count == 2)
      #expect(answered.flatMap(\.events).map(\.unread) == [0, 0])
      #expect(Set(answered.flatMap(\.events).map(\.userId)) == users)
      for user in users {
        let list = try await gateway.call(.get, "/api/v1/notifications", as: .user(user)).expect(.ok).json()
        #expect((list["totalCount"] as? Int, list["unreadCount"] as? Int) == (0, 0))
      }
      let again = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
      #expect((again["withdrawnCount"] as? Int, again["cancelledCount"] as? Int) == (0, 0))
    }
  }

  @Test func `an admin withdraws anybody's, and who came first by an unknown id keeps nobody out`() async throws {
    try await TestGateway.with { gateway in
      let (shop, bank) = (try await Caller.service(), try await Caller.service("bank"))
      let admin = try await Caller.service("root", role: .admin)
      let request = RequestID(now: .now)
      let path = "/api/v1/requests/\(request)"
      _ = try await gateway.call(.delete, path, as: bank).expect(.ok)
      try await route(gateway, request)
      try await gateway.call(.delete, path, as: bank).expectProblem("not-found", .notFound)
      _ = try await gateway.call(.get, path, as: shop).expect(.ok)
      let withdrawals = ScheduleStore(client: gateway.database)
      let named = NamedRequest(request, of: .named("shop"))
      #expect(try await withdrawals.withdrawn(among: [named]).isEmpty)
      _ = try await gateway.call(.delete, path, as: shop).expect(.ok)
      #expect(try await withdrawals.withdrawn(among: [named]) == [named])
      try await route(gateway, request)
      let answer = try await gateway.call(.delete, path, as: admin).expect(.ok).json()
      #expect(answer["cancelledCount"] as? Int == 1)
    }
  }

  @Test func `a stranger who asks for a coming occurrence is in nobody's way, and nobody hears of that`() async throws {
    try await TestGateway.with { gateway in
      let (shop, bank) = (try await Caller.service(), try await Caller.service("bank"))
      let admin = try await Caller.service("root", role: .admin)
      let today = Zone.utc.localDate(at: .now)
      for isWithdrawn in [false, true] {
        let id = RequestID(schedule: "bins \(isWithdrawn)", of: "shop", on: today)
        let path = "/api/v1/requests/\(id)"
        _ = try await gateway.call(.delete, path, as: bank).expect(.ok)
        try await gateway.call(.get, path, as: shop).expectProblem("not-found", .notFound)
        if isWithdrawn {
          let first = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
          #expect(first["status"] as? String == "accepted")
          let known = try await gateway.call(.get, path, as: shop).expect(.ok).json()
          #expect(known["status"] as? String == "cancelled")
        }
        try await route(gateway, id)
        for caller in [shop, admin] {
          let answered = try await gateway.call(.get, path, as: caller).expect(.ok).json()
          #expect((answered["cancelledAt"] != nil) == isWithdrawn)
        }
      }
    }
  }

  @Test func `a request for nobody has no recipients once it is routed, and before that one may ask again`()
    async throws
  {
    try await TestGateway.with { gateway in
      let (shop, bank) = (try await Caller.service(), try await Caller.service("bank"))
      let request = RequestID(now: .now)
      let path = "/api/v1/requests/\(request)"
      func expectUnknown(to caller: Caller) async throws {
        let answer = try await gateway.call(.get, path, as: caller)
        try answer.expectProblem("not-found", .notFound)
        #expect(try answer.json()["detail"] as? String == "not routed yet, or not yours")
        #expect(answer.headers[.retryAfter] == "1")
      }
      try await expectUnknown(to: shop)
      try await RequestStore(client: gateway.database).noteNobody(
        of: [NamedRequest(request, of: .named("shop"))],
        now: .now
      )
      let answered = try await gateway.call(.get, path, as: shop).expect(.ok).json()
      #expect(answered["status"] as? String == "accepted")
      #expect(answered["recipients"] as? Int == 0)
      #expect(answered["isComplete"] as? Bool == true)
      try await expectUnknown(to: bank)
      let cancelled = try await gateway.call(.delete, path, as: shop).expect(.ok).json()
      #expect(cancelled["cancelledCount"] as? Int == 0)
    }
  }

  @Test func `what nobody is named for is an admin's to withdraw, and a service leaves no trace by trying`()
    async throws
  {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("root", role: .admin)
      let request = RequestID(now: .now)
      let path = "/api/v1/requests/\(request)"
      try await route(gateway, request, of: .unknown)
      try await gateway.call(.delete, path, as: .service()).expectProblem("not-found", .notFound)
      let named = NamedRequest(request, of: .unknown)
      #expect(try await ScheduleStore(client: gateway.database).withdrawn(among: [named]).isEmpty)
      let answer = try await gateway.call(.delete, path, as: admin).expect(.ok).json()
      #expect(answer["cancelledCount"] as? Int == 1)
    }
  }

  @Test func `the same key waits once`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let body = body(.now + 3_600)
      let answers = [
        try await send(gateway, as: shop, body, key: "k"), try await send(gateway, as: shop, body, key: "k"),
      ]
      #expect(Set(answers.map(\.id)).count == 1)
      #expect(answers.map(\.status) == ["scheduled", "scheduled"])
      let claims = try await ScheduleStore(client: gateway.database).claim(
        .sends,
        limit: 9,
        lease: 60,
        now: .now + 7_200
      )
      #expect(claims.count == 1)
    }
  }

  @Test func `an instant that has passed is at once, and one beyond a year is refused`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let shop = try await Caller.service()
      #expect(try await send(gateway, as: shop, body(.now - 60)).status == "accepted")
      #expect(gateway.ingested.count == 1)
      let far = try await gateway.call(.post, "/api/v1/notifications", as: shop, body: body(.now + 400 * 86_400))
      #expect(try far.expectProblem("validation", .badRequest) == ["sendAt"])
      #expect(gateway.ingested.count == 1)
    }
  }

  @Test func `what is no request's id is not there, and users have no requests`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      for id in ["x", "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"] {
        for method in [HTTPRequest.Method.get, .delete] {
          try await gateway.call(method, "/api/v1/requests/\(id)", as: .service()).expectProblem("not-found", .notFound)
        }
      }
      let id = RequestID(now: .now)
      try await gateway.call(.delete, "/api/v1/requests/\(id)", as: .user()).expectProblem("forbidden", .forbidden)
    }
  }
}
