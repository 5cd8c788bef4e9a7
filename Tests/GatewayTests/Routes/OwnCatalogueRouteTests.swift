import Authentication
import HTTPTypes
import NotificationModel
import Testing

@testable import Gateway

/// What the routes say under a catalogue that begins with nothing.
@Suite struct OwnCatalogueRouteTests {
  private let user = "4f9c1c1e-0001-4000-8000-000000000001"
  private let preferences = "/api/v1/notifications/preferences"

  @Test func `apps read the operator's types, categories and settings, and no others`() async throws {
    let catalogue = try OwnCatalogue.shop.get()
    try await TestGateway.withoutDatabase(catalogue: catalogue) { gateway in
      let answer = try await gateway.call(.get, "/catalogue").expect(.ok)
      #expect(try answer.list("types").map { $0["code"] as? Int } == [1, 2])
      #expect(try answer.list("types").map { $0["name"] as? String } == ["OrderShipped", "PriceFell"])
      #expect(try answer.list("categories").map { $0["name"] as? String } == ["Orders", "Offers"])
      #expect(try answer.list("settings").map { $0["name"] as? String } == ["priceLimit"])
    }
  }

  @Test func `preferences list exactly the file's types, and take choices for no others`() async throws {
    let catalogue = try OwnCatalogue.shop.get()
    try await TestGateway.with(catalogue: catalogue) { gateway in
      let ann = try await Caller.user()
      let shown = try await gateway.call(.get, preferences, as: ann).expect(.ok)
      #expect(try shown.list("preferences").map { $0["notificationType"] as? Int } == [1, 2])
      #expect(try shown.list("categories").map { $0["category"] as? String } == ["Orders", "Offers"])
      #expect(try shown.json()["settings"] as? [String: Int] == ["priceLimit": 5])
      func choice(_ type: Int) -> String {
        #"{"notificationType":\#(type),"inAppEnabled":true,"pushEnabled":false,"emailEnabled":true}"#
      }
      let other = #"""
        {"preferences":[\#(choice(10))],"categories":[{"category":"Tasks","pushEnabled":false}],
         "settings":{"lowBalanceThreshold":1}}
        """#
      let refused = try await gateway.call(.put, preferences, as: ann, body: other)
      #expect(
        try refused.expectProblem("validation", .badRequest).sorted()
          == ["categories[0].category", "preferences[0].notificationType", "settings.lowBalanceThreshold"]
      )
      let own = #"{"preferences":[\#(choice(1))],"settings":{"priceLimit":9}}"#
      let changed = try await gateway.call(.put, preferences, as: ann, body: own).expect(.ok)
      let item = try #require(try changed.list("preferences").first)
      #expect(item["pushEnabled"] as? Bool == false && item["emailEnabled"] as? Bool == true)
      #expect(try changed.json()["settings"] as? [String: Int] == ["priceLimit": 9])
    }
  }

  @Test(arguments: ["/api/v1/notifications", "/api/v1/notifications/test"])
  func `a send names a type of the operator's; a built-in one is unknown, by code and by name`(_ path: String)
    async throws
  {
    let catalogue = try OwnCatalogue.shop.get()
    try await TestGateway.with(catalogue: catalogue) { gateway in
      let admin = try await Caller.service(role: .admin)
      func send(_ type: String) async throws -> Answer {
        let to = path.hasSuffix("test") ? #""userId":"\#(user)""# : #""to":{"users":["\#(user)"]}"#
        let body = #"{\#(to),"type":\#(type),"title":"T","body":"B"}"#
        return try await gateway.call(.post, path, as: admin, body: body)
      }
      for type in ["10", "99", #""AllowanceDeposit""#, #""SystemAnnouncement""#] {
        #expect(try await send(type).expectProblem("validation", .badRequest) == ["type"])
      }
      #expect(gateway.ingested.isEmpty)
      for type in ["1", #""ordershipped""#] { _ = try await send(type).expect(.accepted) }
      #expect(gateway.ingested.count == 2)
    }
  }

  @Test func `a built-in event is refused by name, and one of the operator's is accepted`() async throws {
    let catalogue = try OwnCatalogue.shop.get()
    try await TestGateway.withoutDatabase(catalogue: catalogue) { gateway in
      func report(_ name: String, _ payload: String, audience: Bool = true) async throws -> Answer {
        let to = audience ? #""audience":{"users":["\#(user)"]},"# : ""
        let body = #"{"name":"\#(name)",\#(to)"payload":\#(payload)}"#
        return try await gateway.call(.post, "/api/v1/events", as: .service(), body: body)
      }
      let balance = #"{"childId":"\#(user)","newBalance":1,"previousBalance":20}"#
      for name in ["BalanceUpdated", "GoalReached", "MessageSent"] {
        #expect(try await report(name, balance).expectProblem("validation", .badRequest) == ["name"])
      }
      #expect(gateway.ingested.isEmpty)
      _ = try await report("StockChanged", #"{"product":"Tea","left":3}"#).expect(.accepted)
      _ = try await report("OrderPacked", #"{"buyer":"\#(user)","order":"7"}"#, audience: false).expect(.accepted)
      #expect(gateway.ingested.count == 2)
    }
  }

  @Test func `explanations know the operator's types, events and rules alone`() async throws {
    let catalogue = try OwnCatalogue.shop.get()
    try await TestGateway.with(catalogue: catalogue) { gateway in
      func explain(_ body: String) async throws -> Answer {
        try await gateway.call(.post, "/api/v1/admin/explain", as: .service(role: .admin), body: body)
      }
      let event = #"{"event":{"name":"OrderPacked","payload":{"buyer":"\#(user)","order":"7"}}}"#
      let fired = try await explain(event).expect(.ok)
      #expect(try fired.list("rules").map { $0["rule"] as? String } == ["shipped"])
      #expect(try fired.list("rules").first?["fired"] as? Bool == true)
      let built = #"{"event":{"name":"BalanceUpdated","payload":{"childId":"\#(user)","newBalance":1}}}"#
      #expect(try await explain(built).expectProblem("validation", .badRequest) == ["event.name"])
      let send = try await explain(#"{"userId":"\#(user)","type":1}"#).expect(.ok).json()
      #expect(send["typeName"] as? String == "OrderShipped" && send["missingData"] as? [String] == ["order", "shop"])
      let deposit = #"{"userId":"\#(user)","type":"AllowanceDeposit"}"#
      #expect(try await explain(deposit).expectProblem("validation", .badRequest) == ["type"])
    }
  }

  @Test func `schedules name the operator's templates`() async throws {
    let catalogue = try OwnCatalogue.shop.get()
    try await TestGateway.with(catalogue: catalogue) { gateway in
      func put(_ template: String) async throws -> Answer {
        let body = #"{"to":{"users":["\#(user)"]},"template":"\#(template)"}"#
        return try await gateway.call(.put, "/api/v1/schedules/\(template)", as: .service(), body: body)
      }
      #expect(try await put("daily-log-reminder").expectProblem("validation", .badRequest) == ["template"])
      _ = try await put("offers").expect(.created)
    }
  }

  @Test func `an empty catalogue has empty lists, and all that needs no type works`() async throws {
    let catalogue = try OwnCatalogue.empty.get()
    try await TestGateway.with(catalogue: catalogue) { gateway in
      let ann = try await Caller.user()
      let open = try await gateway.call(.get, "/catalogue").expect(.ok)
      #expect(open.text == #"{"types":[],"categories":[],"settings":[]}"#)
      let shown = try await gateway.call(.get, preferences, as: ann).expect(.ok)
      for name in ["preferences", "categories"] { #expect(try shown.list(name).isEmpty) }
      #expect(try (shown.json()["settings"] as? [String: Any])?.isEmpty == true)
      let off = try await gateway.call(.put, preferences, as: ann, body: #"{"notificationsEnabled":false}"#)
      #expect(try off.expect(.ok).json()["notificationsEnabled"] as? Bool == false)
      #expect(try await gateway.call(.get, "/api/v1/notifications", as: ann).expect(.ok).list("notifications").isEmpty)
      let send = #"{"to":{"users":["\#(user)"]},"type":1}"#
      let refused = try await gateway.call(.post, "/api/v1/notifications", as: .service(), body: send)
      #expect(try refused.expectProblem("validation", .badRequest) == ["type"])
    }
  }
}
