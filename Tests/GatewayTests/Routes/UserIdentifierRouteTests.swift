import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing
import UserIdentity

@testable import Gateway

/// People who go by texts, wherever the interface has a user's id.
@Suite struct UserIdentifierRouteTests {
  private static let name = "shop/Käthe 7"
  private static let path = "shop%2FK%C3%A4the%207"

  private func caller(_ subject: String, _ roles: Set<Role> = [.user]) throws -> Caller {
    let token = try TokenMinter.mint(secret: TestGateway.secret, subject: subject, roles: roles)
    return Caller(id: UserID(try #require(UserIdentifier(subject)).uuid), subject: subject, token: token)
  }

  private func texts(_ gateway: TestGateway) async throws -> [String] {
    try await gateway.database.query("SELECT identifier FROM user_identifiers ORDER BY identifier").map {
      try $0.get(0)
    }
  }

  @Test(
    arguments: [
      (name, path), ("Élise", "%C3%89lise"), (" a ", "%20a%20"), ("a%2Fb", "a%252Fb"), ("👩‍👩‍👧‍👦", nil), ("100%", "100%25"),
      (String(repeating: "😀", count: 128), nil), ("...", "..."), ("../x", "..%2Fx"), ("%2E%2E", "%252E%252E"),
      ("a+b?c#d", "a%2Bb%3Fc%23d"),
    ] as [(String, String?)]
  )
  func `a profile goes by any text, percent-encoded in the path and as it is in the answer`(
    _ name: String,
    _ encoded: String?
  ) async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let bytes = name.utf8.map { String(format: "%%%02X", $0) }.joined()
      let path = "/api/v1/users/\(encoded ?? bytes)"
      for (status, body) in [(HTTPResponse.Status.created, "{}"), (.ok, #"{"displayName":"K"}"#)] {
        let put = try await gateway.call(.put, path, as: shop, body: body).expect(status).json()
        #expect((put["id"] as? String).map { $0.utf8.elementsEqual(name.utf8) } == true)
      }
      let got = try await gateway.call(.get, path, as: shop).expect(.ok).json()["id"] as? String
      #expect(got.map { $0.utf8.elementsEqual(name.utf8) } == true)
      #expect(try await texts(gateway).count == 1)
    }
  }

  @Test func `who is asked for, or writes nothing, is not made known`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      try await gateway.call(.get, "/api/v1/users/\(Self.path)", as: shop).expectProblem("not-found", .notFound)
      _ = try await gateway.call(.get, "/api/v1/notifications", as: caller(Self.name)).expect(.ok)
      let wrong = try await gateway.call(.put, "/api/v1/users/\(Self.path)", as: shop, body: #"{"email":7}"#)
      #expect(try wrong.expectProblem("validation", .badRequest) == ["email"])
      let there: HTTPFields = [.ifMatch: "*"]
      try await gateway.call(.put, "/api/v1/users/\(Self.path)", as: shop, headers: there, body: "{}")
        .expectProblem("precondition-failed", .preconditionFailed)
      let times = #""recurrence":"FREQ=DAILY","time":"08:00""#
      let unknown = #"{"to":{"users":["ghost"]},"type":"Nope",\#(times)}"#
      for headers in [[:], [.idempotencyKey: "k"]] as [HTTPFields] {
        let schedule = try await gateway.call(.put, "/api/v1/schedules/s", as: shop, headers: headers, body: unknown)
        #expect(try schedule.expectProblem("validation", .badRequest) == ["type"])
      }
      try await gateway.call(.put, "/api/v1/groups/%2E%2E/members/ghost", as: shop)
        .expectProblem("validation", .badRequest)
      #expect(try await texts(gateway).isEmpty)
    }
  }

  @Test(arguments: [(-3_600, []), (3_600, [name])] as [(Double, [String])])
  func `whether a subject came back after an erasure is told by the gateway's clock, not the machine's`(
    _ difference: Double,
    _ known: [String]
  ) async throws {
    try await TestGateway.with(clock: { Date.now + difference }) { gateway in
      let shop = try await Caller.service()
      _ = try await gateway.call(.delete, "/api/v1/users/\(Self.path)", as: shop).expect(.noContent)
      _ = try await gateway.call(.post, "/api/v1/notifications/read", as: caller(Self.name), body: #"{"all":true}"#)
      #expect(try await texts(gateway) == known)
    }
  }

  @Test func `members are answered as they came, beside UUIDs`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let ann = UserID(UUID())
      let body = #"{"members":["shop/Käthe 7","\#(ann)"]}"#
      _ = try await gateway.call(.put, "/api/v1/groups/g", as: shop, body: body).expect(.ok)
      _ = try await gateway.call(.put, "/api/v1/groups/g/members/%C3%89lise", as: shop).expect(.noContent)
      let all = try await gateway.call(.get, "/api/v1/groups/g", as: shop).expect(.ok).json()["members"] as? [String]
      #expect(Set(all ?? []) == ["shop/Käthe 7", "Élise", "\(ann)"])
      // Page by page in the order of the UUIDs.
      var (paged, after): ([String], String) = ([], "")
      while let page = try await gateway.call(.get, "/api/v1/groups/g?pageSize=1\(after)", as: shop).json()["members"]
        as? [String], let last = page.first, paged.count < 9
      {
        paged.append(last)
        after = "&after=" + last.utf8.map { String(format: "%%%02X", $0) }.joined()
      }
      #expect(paged == all)
      _ = try await gateway.call(.delete, "/api/v1/groups/g/members/\(Self.path)", as: shop).expect(.noContent)
      #expect(try await gateway.call(.get, "/api/v1/groups/g", as: shop).json()["memberCount"] as? Int == 2)
    }
  }

  @Test func `whichever of a text and its UUID comes first has it, and the other is refused everywhere`() async throws {
    for isTextFirst in [true, false] {
      try await TestGateway.with { gateway in
        let (shop, admin) = (try await Caller.service(), try await Caller.service(role: .admin))
        let uuid = UserID(try #require(UserIdentifier("bob")).uuid).description
        let (first, second) = isTextFirst ? ("bob", uuid) : (uuid, "bob")
        _ = try await gateway.call(.put, "/api/v1/users/\(first)", as: shop, body: "{}").expect(.created)
        let send = #"{"to":{"users":["\#(second)"]},"type":12}"#
        let schedule = #"{"to":{"users":["\#(second)"]},"type":12,"recurrence":"FREQ=DAILY","time":"08:00"}"#
        let event = #"{"name":"BalanceUpdated","payload":{"childId":"\#(second)","newBalance":8,"previousBalance":9}}"#
        for (method, path, body) in [
          (HTTPRequest.Method.put, "users/\(second)", "{}"), (.get, "users/\(second)", nil),
          (.delete, "users/\(second)", nil), (.put, "groups/g", #"{"members":["\#(second)"]}"#),
          (.put, "groups/g/members/\(second)", nil), (.post, "notifications", send), (.post, "events", event),
          (.put, "schedules/s", schedule),
        ] as [(HTTPRequest.Method, String, String?)] {
          try await gateway.call(method, "/api/v1/\(path)", as: shop, body: body)
            .expectProblem("identifier-taken", .conflict)
        }
        // A refusal leaves the key to be used.
        let keyed: HTTPFields = [.idempotencyKey: "order-1"]
        try await gateway.call(.post, "/api/v1/notifications", as: shop, headers: keyed, body: send)
          .expectProblem("identifier-taken", .conflict)
        let right = #"{"to":{"users":["\#(first)"]},"type":12}"#
        _ = try await gateway.call(.post, "/api/v1/notifications", as: shop, headers: keyed, body: right).expect(
          .accepted
        )
        try await gateway.call(.get, "/api/v1/admin/notifications?user=\(second)", as: admin)
          .expectProblem("identifier-taken", .conflict)
        let bulk = try await gateway.call(
          .post,
          "/api/v1/notifications/bulk",
          as: shop,
          body: #"{"items":[\#(send),{"to":{"users":["\#(first)"]},"type":12}]}"#
        ).expect(.ok).list("results")
        #expect(bulk.map { $0["status"] as? String } == ["invalid", "accepted"])
        try await gateway.call(.get, "/api/v1/notifications", as: caller(second)).expectProblem("forbidden", .forbidden)
        _ = try await gateway.call(.get, "/api/v1/notifications", as: caller(first)).expect(.ok)
        #expect(try await texts(gateway) == [first])
      }
    }
  }

  @Test func `a bulk call names so many people and no more`() async throws {
    try await TestGateway.with { gateway in
      let users = (0..<1_000).map { "\"u\($0)\"" }.joined(separator: ",")
      let item = #"{"to":{"users":[\#(users)]},"type":12}"#
      let items = Array(repeating: item, count: BulkController.maximumContested / 1_000 + 1).joined(separator: ",")
      let answer = try await gateway.call(
        .post,
        "/api/v1/notifications/bulk",
        as: .service(),
        body: #"{"items":[\#(items)]}"#
      )
      let statuses = try answer.expect(.ok).list("results").map { $0["status"] as? String }
      #expect(statuses.dropLast().allSatisfy { $0 == "accepted" } && statuses.last == "invalid")
    }
  }

  @Test func `a schedule keeps UUIDs, and is answered as it came`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let body =
        #"{"to":{"users":["shop/Käthe 7"],"except":["Élise"]},"type":12,"recurrence":"FREQ=DAILY","time":"08:00"}"#
      for status in [HTTPResponse.Status.created, .ok] {
        let put = try await gateway.call(.put, "/api/v1/schedules/s", as: shop, body: body).expect(status).json()
        #expect((put["to"] as? [String: Any])?["users"] as? [String] == ["shop/Käthe 7"])
      }
      let listed = try await gateway.call(.get, "/api/v1/schedules", as: shop).expect(.ok).list("schedules")
      #expect((listed.first?["to"] as? [String: Any])?["except"] as? [String] == ["Élise"])
      #expect(try await gateway.database.query("SELECT 1 FROM schedule_users").count == 2)
      _ = try await gateway.call(.delete, "/api/v1/users/\(Self.path)", as: shop).expect(.noContent)
      try await gateway.call(.get, "/api/v1/schedules/s", as: shop).expectProblem("not-found", .notFound)
      #expect(try await texts(gateway) == ["Élise"])
    }
  }

  @Test func `what was done to a person is told by name, to admins and in the export, until the erasure`() async throws
  {
    try await TestGateway.with { gateway in
      let (shop, admin) = (try await Caller.service(), try await Caller.service(role: .admin))
      let kaethe = try caller(Self.name)
      _ = try await gateway.call(.put, "/api/v1/notifications/muted/Goal/7", as: kaethe, body: "{}").expect(.noContent)
      #expect(try await texts(gateway) == [Self.name])
      _ = try await gateway.call(.put, "/api/v1/users/\(Self.path)", as: shop, body: "{}")
      let export = try await gateway.call(.get, "/api/v1/users/\(Self.path)/export", as: shop).expect(.ok).json()
      #expect(export["userId"] as? String == Self.name)
      let mine = try await gateway.call(.get, "/api/v1/me/export", as: kaethe).expect(.ok).json()
      #expect(mine["userId"] as? String == Self.name)
      let question = #"{"userId":"shop/Käthe 7","type":12}"#
      let why = try await gateway.call(.post, "/api/v1/admin/explain", as: admin, body: question).expect(.ok).json()
      #expect(why["userId"] as? String == Self.name)
      let event =
        #"{"event":{"name":"BalanceUpdated","payload":{"childId":"shop/Käthe 7","newBalance":8,"previousBalance":9}}}"#
      let rules = try await gateway.call(.post, "/api/v1/admin/explain", as: admin, body: event).expect(.ok)
        .list("rules")
      #expect(rules.first?["userId"] as? String == Self.name)
      let audit = try await gateway.call(.get, "/api/v1/admin/audit", as: admin).expect(.ok).list("entries")
      #expect(audit.map { $0["subject"] as? String } == [Self.name, Self.name])
      _ = try await gateway.call(.delete, "/api/v1/users/\(Self.path)", as: shop).expect(.noContent)
      #expect(try await texts(gateway).isEmpty)
      let after = try await gateway.call(.get, "/api/v1/admin/audit", as: admin).expect(.ok).text
      #expect(!after.contains("Käthe"))
    }
  }

  @Test func `of users who are UUIDs nothing is stored`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let ann = UserID(UUID())
      _ = try await gateway.call(.put, "/api/v1/users/\(ann)", as: shop, body: "{}").expect(.created)
      let body = #"{"members":["\#(ann)"]}"#
      _ = try await gateway.call(.put, "/api/v1/groups/g", as: shop, body: body).expect(.ok)
      #expect(try await texts(gateway).isEmpty)
    }
  }
}
