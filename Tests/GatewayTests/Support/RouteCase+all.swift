import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Testing

@testable import Gateway

extension RouteCase {
  /// One for every route, by method and path.
  static let all: [String: RouteCase] = {
    var all = inbox.merging(people) { $1 }
    all.merge(backends) { $1 }
    all.merge(operations) { $1 }
    all.merge(catalogues) { $1 }
    all.merge(bounces) { $1 }
    for path in [
      "/catalogue", "/catalogue/schema.json", "/openapi.yaml", "/asyncapi.yaml", "/health/live", "/health/ready",
    ] {
      all["GET \(path)"] = RouteCase(.shared)
    }
    all["POST /api/v1/receipts/:receipt"] = RouteCase(.shared) { gateway, owner in
      let id = try await gateway.notify(owner)
      let receipt = DeliveryReceipt(
        user: owner.id,
        notification: id,
        device: DeviceID(UUID()),
        expiry: moment + 86_400
      )
      return Ask(path: "/api/v1/receipts/\(try #require(TestGateway.receipts.text(of: receipt)))")
    }
    all["GET /unsubscribe/:token"] = RouteCase(.shared) { _, owner in Ask(path: try Self.link(of: owner)) }
    all["POST /unsubscribe/:token"] = RouteCase(.shared) { _, owner in
      Ask(
        path: try Self.link(of: owner),
        headers: [.contentType: "application/x-www-form-urlencoded"],
        body: "List-Unsubscribe=One-Click"
      )
    }
    all["GET /bell/config.json"] = RouteCase(.shared)
    all["GET /bell/v1/:file"] = RouteCase(.shared) { _, _ in Ask(path: "/bell/v1/belfry-bell.js") }
    all["GET /client/v1/:file"] = RouteCase(.shared) { _, _ in Ask(path: "/client/v1/belfry.js") }
    return all
  }()

  private static let bounces: [String: RouteCase] = [
    "POST /api/v1/webhooks/bounces/mail": RouteCase(.shared) { _, _ in
      Ask(headers: [.contentType: "message/rfc822"], body: ReturnedMails.bounce(messageID: "m@example.com"))
    },
    "POST /api/v1/webhooks/bounces/ses": RouteCase(.shared) { _, _ in
      Ask(body: try BounceSigner.shared.get().sns("{}", at: moment))
    },
    "POST /api/v1/webhooks/bounces/postmark": RouteCase(.shared) { _, _ in
      Ask(headers: BounceSigner.postmark)
    },
    "POST /api/v1/webhooks/bounces/sendgrid": RouteCase(.shared) { _, _ in
      Ask(headers: try BounceSigner.shared.get().sendgrid("[]", at: moment), body: "[]")
    },
    "POST /api/v1/webhooks/bounces/mailgun": RouteCase(.shared) { _, _ in
      Ask(body: try BounceSigner.shared.get().mailgun(#"{"event":"delivered"}"#, at: moment))
    },
  ]

  // MARK: Users

  private static let inbox: [String: RouteCase] = [
    "GET /api/v1/notifications": anyNotification(),
    "DELETE /api/v1/notifications": RouteCase(.apart) { gateway, owner in
      let id = try await gateway.notify(owner)
      _ = try await gateway.call(.patch, "/api/v1/notifications/\(id)/read", as: owner).expect(.ok)
      return Ask()
    },
    "GET /api/v1/notifications/unread-count": anyNotification(shown: false),
    "GET /api/v1/notifications/changes": anyNotification(path: "/api/v1/notifications/changes?since=0"),
    "POST /api/v1/notifications/read": chosenNotification,
    "POST /api/v1/notifications/seen": chosenNotification,
    "GET /api/v1/notifications/:id": notification(),
    "DELETE /api/v1/notifications/:id": notification(),
    "PATCH /api/v1/notifications/:id/read": notification("/read"),
    "PATCH /api/v1/notifications/:id/unread": notification("/unread"),
    "PATCH /api/v1/notifications/:id/archive": notification("/archive"),
    "PATCH /api/v1/notifications/:id/unarchive": notification("/unarchive"),
    "PATCH /api/v1/notifications/:id/snooze": notification("/snooze"),
    "POST /api/v1/notifications/:id/opened": notification("/opened"),
    "POST /api/v1/notifications/:id/actions/:action": RouteCase(.missing) { gateway, owner in
      let type = try #require(try TestGateway.catalogue.get().types.first { !$0.actions.isEmpty })
      let id = try await gateway.notify(owner, type: type.code)
      return Ask(path: "/api/v1/notifications/\(id)/actions/\(type.actions[0].id)")
    },
  ]

  private static func anyNotification(path: String? = nil, shown: Bool = true) -> RouteCase {
    RouteCase(.apart) { gateway, owner in
      let id = try await gateway.notify(owner)
      return Ask(path: path, secret: shown ? id.description : nil)
    }
  }

  private static let chosenNotification = RouteCase(.apart) { gateway, owner in
    Ask(body: #"{"notificationIds":["\#(try await gateway.notify(owner))"]}"#)
  }

  private static func notification(_ act: String = "") -> RouteCase {
    RouteCase(.missing) { gateway, owner in
      let id = try await gateway.notify(owner)
      return Ask(path: "/api/v1/notifications/\(id)\(act)", secret: id.description)
    }
  }

  private static let people: [String: RouteCase] = [
    "GET /api/v1/me/export": RouteCase(.apart) { gateway, owner in
      Ask(secret: try await gateway.notify(owner).description)
    },
    "DELETE /api/v1/me": RouteCase(.apart) { gateway, owner in
      try await gateway.notify(owner)
      return Ask()
    },
    "GET /api/v1/devices": RouteCase(.apart) { gateway, owner in
      Ask(secret: try await gateway.register(owner).id)
    },
    // A token is whose it was registered last.
    "POST /api/v1/devices": RouteCase(.shared),
    "POST /api/v1/push-subscriptions": RouteCase(.shared),
    "POST /api/v1/notifications/device-token": RouteCase(.refused) { _, owner in
      Ask(
        body:
          #"{"userId":"\#(owner.id)","token":"740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad","platform":"iOS"}"#
      )
    },
    "GET /api/v1/push-subscriptions/key": RouteCase(.shared),
    "DELETE /api/v1/devices/current": RouteCase(.apart) { gateway, owner in
      let name = try #require(HTTPField.Name("X-Device-Token"))
      return Ask(headers: [name: try await gateway.register(owner).token])
    },
    "DELETE /api/v1/devices/:id": RouteCase(.missing) { gateway, owner in
      Ask(path: "/api/v1/devices/\(try await gateway.register(owner).id)")
    },
    "PUT /api/v1/devices/:id/permission": RouteCase(.missing) { gateway, owner in
      Ask(path: "/api/v1/devices/\(try await gateway.register(owner).id)/permission")
    },
    "GET /api/v1/notifications/preferences": preference(shown: true),
    "PUT /api/v1/notifications/preferences": preference(shown: false),
    "PUT /api/v1/notifications/preferences/quiet-hours": preference(shown: false),
    "GET /api/v1/notification-preferences": preference(shown: false),
    "PUT /api/v1/notification-preferences": preference(shown: false),
    "GET /api/v1/notifications/muted": RouteCase(.apart) { gateway, owner in
      let entity = try await gateway.mute(owner)
      return Ask(secret: entity)
    },
    "PUT /api/v1/notifications/muted/:entityType/:entityId": mute,
    "DELETE /api/v1/notifications/muted/:entityType/:entityId": mute,
  ]

  private static func preference(shown: Bool) -> RouteCase {
    RouteCase(.apart) { gateway, owner in
      let zone = "Pacific/Chatham"
      _ = try await gateway.call(
        .put,
        "/api/v1/notifications/preferences",
        as: owner,
        body: #"{"timezone":"\#(zone)"}"#
      ).expect(.ok)
      return Ask(secret: shown ? zone : nil)
    }
  }

  private static let mute = RouteCase(.apart) { gateway, owner in
    Ask(path: "/api/v1/notifications/muted/Conversation/\(try await gateway.mute(owner))")
  }

  // MARK: Services

  private static let backends: [String: RouteCase] = [
    "POST /api/v1/notifications": RouteCase(.shared),
    "POST /api/v1/notifications/bulk": RouteCase(.shared),
    "POST /api/v1/events": RouteCase(.shared),
    "GET /api/v1/requests/:id": request,
    "DELETE /api/v1/requests/:id": request,
    "GET /api/v1/schedules": RouteCase(.apart) { gateway, owner in Ask(secret: try await gateway.schedule(owner)) },
    "GET /api/v1/schedules/:key": schedule(.missing),
    "DELETE /api/v1/schedules/:key": schedule(.missing),
    // Of the same name, everybody has their own.
    "PUT /api/v1/schedules/:key": schedule(.apart),
    "GET /api/v1/users/:id": user(),
    "PUT /api/v1/users/:id": user(),
    "PATCH /api/v1/users/:id": user(),
    "DELETE /api/v1/users/:id": user(),
    "GET /api/v1/users/:id/export": user("/export"),
    "GET /api/v1/groups/:id": group(),
    "PUT /api/v1/groups/:id": group(),
    "DELETE /api/v1/groups/:id": group(),
    "POST /api/v1/groups/:id/members": group("/members"),
    "PUT /api/v1/groups/:id/members/:userId": group("/members/4f9c1c1e-0003-4000-8000-000000000003"),
    "DELETE /api/v1/groups/:id/members/:userId": group("/members/4f9c1c1e-0001-4000-8000-000000000001"),
    "PUT /api/v1/topics/:topic/users/:userId": topic,
    "DELETE /api/v1/topics/:topic/users/:userId": topic,
    "PUT /api/v1/topics/:topic/devices/:id": topicOfDevice,
    "DELETE /api/v1/topics/:topic/devices/:id": topicOfDevice,
  ]

  private static let request = RouteCase(.missing) { gateway, owner in
    let body =
      #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":12,"sendAt":"2026-12-01T17:30:00Z"}"#
    let answer = try await gateway.call(.post, "/api/v1/notifications", as: .service(owner.subject), body: body)
    let id = try #require(try answer.expect(.accepted).json()["requestId"] as? String)
    return Ask(path: "/api/v1/requests/\(id)", secret: id)
  }

  private static func schedule(_ forOthers: ForOthers) -> RouteCase {
    RouteCase(forOthers) { gateway, owner in
      let key = try await gateway.schedule(owner)
      return Ask(path: "/api/v1/schedules/\(key)")
    }
  }

  private static func user(_ part: String = "") -> RouteCase {
    RouteCase(.shared) { gateway, _ in
      let path = "/api/v1/users/\(UserID(UUID()))"
      _ = try await gateway.call(.put, path, as: .service(), body: #"{"displayName":"Ann"}"#).expect(.created)
      return Ask(path: path + part)
    }
  }

  private static func group(_ part: String = "") -> RouteCase {
    RouteCase(.shared) { gateway, _ in
      let path = "/api/v1/groups/family:\(UUID())"
      let body = #"{"members":["4f9c1c1e-0001-4000-8000-000000000001"]}"#
      _ = try await gateway.call(.put, path, as: .service(), body: body).expect(.ok)
      return Ask(path: path + part)
    }
  }

  private static let topic = RouteCase(.shared) { _, _ in
    Ask(path: "/api/v1/topics/news/users/\(UserID(UUID()))")
  }

  private static let topicOfDevice = RouteCase(.shared) { gateway, _ in
    let registration = DeviceStore.Registration(token: "token-\(UUID())", platform: .android)
    let device = try await DeviceStore(client: gateway.database).register(registration, of: UserID(UUID()))
    return Ask(path: "/api/v1/topics/news/devices/\(device.id)")
  }

  // MARK: Admins

  private static let operations: [String: RouteCase] = [
    "POST /api/v1/notifications/test": RouteCase(.shared),
    "POST /api/v1/admin/api-keys": RouteCase(.shared),
    "GET /api/v1/admin/api-keys": RouteCase(.shared),
    "DELETE /api/v1/admin/api-keys/:id": RouteCase(.shared) { gateway, _ in
      Ask(path: "/api/v1/admin/api-keys/\(try await gateway.key([.send]).id)")
    },
    "GET /api/v1/admin/audit": RouteCase(.shared),
    "GET /api/v1/admin/dead-letters": RouteCase(.shared),
    "POST /api/v1/admin/dead-letters/redrive": RouteCase(.shared),
    "POST /api/v1/admin/dead-letters/discard": RouteCase(.shared),
    "GET /api/v1/admin/deliveries": RouteCase(.shared) { _, _ in
      Ask(path: "/api/v1/admin/deliveries?outcome=rejected")
    },
    "POST /api/v1/admin/explain": RouteCase(.shared),
    "GET /api/v1/admin/notifications": RouteCase(.shared) { gateway, _ in
      let ann = try await Caller.user()
      try await gateway.notify(ann)
      return Ask(path: "/api/v1/admin/notifications?user=\(ann.id)")
    },
    "GET /api/v1/admin/notifications/:id": RouteCase(.shared) { gateway, _ in
      let ann = try await Caller.user()
      return Ask(path: "/api/v1/admin/notifications/\(try await gateway.notify(ann))?user=\(ann.id)")
    },
    "POST /api/v1/admin/preview": RouteCase(.shared),
    "GET /api/v1/admin/schedules": RouteCase(.shared),
    "GET /api/v1/admin/stats": RouteCase(.shared),
    "GET /api/v1/admin/suppressions": RouteCase(.shared),
    "POST /api/v1/admin/suppressions": RouteCase(.shared) { _, _ in
      // Only a new one leaves a line in the audit log.
      Ask(body: #"{"address":"\#(UserID(UUID()))@example.org","reason":"manual"}"#)
    },
    "DELETE /api/v1/admin/suppressions/:address": RouteCase(.shared) { gateway, _ in
      let address = "\(UserID(UUID()))@example.org"
      _ = try await SuppressionStore(client: gateway.database).add(address, by: "shop")
      return Ask(path: "/api/v1/admin/suppressions/\(address)")
    },
  ]

  private static let catalogues: [String: RouteCase] = [
    "GET /api/v1/admin/catalogue": RouteCase(.shared),
    "PUT /api/v1/admin/catalogue": RouteCase(.shared) { _, _ in Ask(body: TestGateway.catalogueFile()) },
    "GET /api/v1/admin/catalogue/versions": RouteCase(.shared),
    "GET /api/v1/admin/catalogue/versions/:number": RouteCase(.shared) { gateway, _ in
      Ask(path: "/api/v1/admin/catalogue/versions/\(try await gateway.applyCatalogue())")
    },
    "POST /api/v1/admin/catalogue/versions/:number/rollback": RouteCase(.shared) { gateway, _ in
      let number = try await gateway.applyCatalogue()
      _ = try await gateway.applyCatalogue()
      return Ask(path: "/api/v1/admin/catalogue/versions/\(number)/rollback")
    },
  ]
}

// MARK: What is there

extension TestGateway {
  /// A notification in the caller's inbox.
  @discardableResult
  fileprivate func notify(_ caller: Caller, type: Int = 10) async throws -> NotificationID {
    let never = Date(timeIntervalSince1970: 4_102_444_800)
    return try #require(try await store(1, for: caller.id, type: type) { $0.expiresAt = never }.first)
  }

  /// A catalogue file that is another than all before.
  fileprivate static func catalogueFile() -> String {
    #"""
    {"version":1,"categories":[{"name":"Household","channels":{"inApp":true}}],
    "defaults":{"channels":{"inApp":true},"priority":"normal","timeToLiveDays":7,"title":"News","body":"Something happened"},
    "types":[{"code":900,"name":"DinnerIsReady","category":"Household","title":"Dinner \#(UUID())","body":"Come"}]}
    """#
  }

  /// The number of a version that is in force now.
  fileprivate func applyCatalogue() async throws -> Int {
    let answer = try await call(
      .put,
      "/api/v1/admin/catalogue",
      as: .service("ops", role: .admin),
      body: Self.catalogueFile()
    )
    return try #require(try answer.expect(.ok).json()["version"] as? Int)
  }

  /// A device of the caller's.
  fileprivate func register(_ caller: Caller) async throws -> (id: String, token: String) {
    let token = "token-\(UUID())"
    let body = #"{"token":"\#(token)","platform":2}"#
    let device = try await call(.post, "/api/v1/devices", as: caller, body: body).expect(.ok).json()
    return (try #require(device["id"] as? String), token)
  }

  /// A conversation that the caller has muted.
  fileprivate func mute(_ caller: Caller) async throws -> String {
    // As it is answered: in lower case.
    let entity = "c-\(UserID(UUID()))"
    _ = try await call(.put, "/api/v1/notifications/muted/Conversation/\(entity)", as: caller).expect(.noContent)
    return entity
  }

  /// The key of a schedule that is the caller's.
  fileprivate func schedule(_ caller: Caller) async throws -> String {
    let key = "bins-\(UUID())"
    let body =
      #"{"to":{"group":"family:demo"},"type":99,"title":"Bins","body":"Tonight","recurrence":"FREQ=DAILY","time":"19:00"}"#
    _ = try await call(.put, "/api/v1/schedules/\(key)", as: .service(caller.subject), body: body).expect(.created)
    return key
  }

  /// An API key that is valid.
  func key(_ scopes: Set<Scope>) async throws -> (id: String, key: String) {
    let names = scopes.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ",")
    let body = #"{"name":"shop","scopes":[\#(names)]}"#
    let made = try await call(.post, "/api/v1/admin/api-keys", as: .service("ops", role: .admin), body: body)
      .expect(.created).json()
    return (try #require(made["id"] as? String), try #require(made["key"] as? String))
  }
}
