import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// `DELETE` of users, by others and by themselves, and the audit log.
@Suite struct ErasureRouteTests {
  @Test func `a service erases a user, whose inbox is empty then and who is sent nothing of before`() async throws {
    try await TestGateway.with { gateway in
      let (ann, ben) = (try await Caller.user(), try await Caller.user())
      let shop = try await Caller.service()
      try await gateway.store(3, for: ann.id)
      try await gateway.store(2, for: ben.id)
      _ = try await gateway.call(.put, "/api/v1/users/\(ann.id)", as: shop, body: #"{"email":"ann@example.org"}"#)
        .expect(.created)
      let answer = try await gateway.call(.delete, "/api/v1/users/\(ann.id)", as: shop).expect(.noContent)
      #expect(answer.body.isEmpty)
      for (user, count) in [(ann, 0), (ben, 2)] {
        let list = try await gateway.call(.get, "/api/v1/notifications", as: user).expect(.ok)
        #expect(list.text.contains(#""totalCount":\#(count)"#), "\(list.text)")
      }
      #expect(try await UserStore(client: gateway.database).profile(of: ann.id) == nil)
      // Somebody repeats what was stored before.
      try await gateway.store(1, for: ann.id)
      let again = try await gateway.call(.get, "/api/v1/notifications", as: ann).expect(.ok)
      #expect(again.text.contains(#""totalCount":0"#), "\(again.text)")
      // The same again, and of somebody whom nobody knows.
      for user in [ann.id, UserID(UUID())] {
        _ = try await gateway.call(.delete, "/api/v1/users/\(user)", as: shop).expect(.noContent)
      }
    }
  }

  @Test func `an erasure is dated by the database, whatever the gateway's clock shows`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      let user = UserID(UUID())
      _ = try await gateway.call(.delete, "/api/v1/users/\(user)", as: .service()).expect(.noContent)
      let look = try await ErasureStore(client: gateway.database).erased(since: nil)
      #expect(look.marks.map(\.user) == [user])
      #expect(look.marks.allSatisfy { $0.erasedAt <= look.at })
    }
  }

  @Test func `a device that was being registered when its user was erased is not, and may be asked for again`()
    async throws
  {
    // Two clocks: what is asked for "now" was asked for long before the erasure.
    let clock = SettableClock(Date(timeIntervalSince1970: 1_700_000_000))
    try await TestGateway.with(clock: { clock.now }) { gateway in
      let ann = try await Caller.user()
      _ = try await ErasureStore(client: gateway.database).erase(ann.id, by: nil)
      let body = #"{"token":"t-1","platform":2}"#
      let refused = try await gateway.call(.post, "/api/v1/devices", as: ann, body: body)
      try refused.expectProblem("unavailable", .serviceUnavailable)
      #expect(refused.text.contains("erased while this was on its way"))
      clock.advance(by: 4_000_000_000)
      _ = try await gateway.call(.post, "/api/v1/devices", as: ann, body: body).expect(.ok)
    }
  }

  @Test func `users erase themselves where the deployment allows it, and nobody else`() async throws {
    try await TestGateway.with(personal: PersonalConfiguration(allowsErasing: true)) { gateway in
      let (ann, ben) = (try await Caller.user(), try await Caller.user())
      for user in [ann, ben] { try await gateway.store(1, for: user.id) }
      _ = try await gateway.call(.delete, "/api/v1/me", as: ann).expect(.noContent)
      let erased = try await ErasureStore(client: gateway.database).erased(since: nil).marks
      #expect(erased.map(\.user) == [ann.id])
      let ops = try await Caller.service("ops", role: .admin)
      let audit = try await gateway.call(.get, "/api/v1/admin/audit", as: ops).expect(.ok)
      #expect(audit.text.contains(#""actor":"self","action":"user.eraseSelf","subject":null"#), "\(audit.text)")
      #expect(!audit.text.contains(ann.id.description))
    }
  }

  @Test func `an admin with a user's id who erases that user is named nowhere in the audit log`() async throws {
    try await TestGateway.with { gateway in
      let (ann, ben) = (UserID(UUID()), UserID(UUID()))
      let admin = try await Caller.service(ann.description.uppercased(), role: .admin)
      let body = #"{"name":"Of ours","scopes":["send"]}"#
      _ = try await gateway.call(.post, "/api/v1/admin/api-keys", as: admin, body: body).expect(.created)
      for user in [ben, ann] {
        _ = try await gateway.call(.delete, "/api/v1/users/\(user)", as: admin).expect(.noContent)
      }
      let entries = try await AuditStore(client: gateway.database).page(before: nil, limit: 9).entries
      #expect(entries.map(\.action) == ["user.erase", "user.erase", "apiKey.create"])
      #expect(entries.map(\.actor) == ["self", "erased", "erased"])
      // The mark is what stays, in small letters.
      #expect(try await gateway.rows(mentioning: admin.subject).isEmpty)
      #expect(try await gateway.rows(mentioning: ann.description).allSatisfy { $0.hasPrefix("erased_users ") })
    }
  }

  /// Their token makes no person of them: no table has the text.
  @Test func `an admin who goes by a text is named nowhere once that text is erased, the first time and again`()
    async throws
  {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("ann@shop.example", role: .admin)
      let shop = try await Caller.service()
      for round in 1...2 {
        let body = #"{"name":"Of ours","scopes":["send"]}"#
        _ = try await gateway.call(.post, "/api/v1/admin/api-keys", as: admin, body: body).expect(.created)
        #expect(try await gateway.rows(mentioning: admin.subject).count > 1, "round \(round)")
        _ = try await gateway.call(.delete, "/api/v1/users/ann%40shop.example", as: shop).expect(.noContent)
        #expect(try await gateway.rows(mentioning: admin.subject).isEmpty, "round \(round)")
      }
    }
  }

  @Test func `the line about an erasure says which request it was`() async throws {
    try await TestGateway.with { gateway in
      let user = UserID(UUID())
      for _ in 0..<2 {
        _ = try await gateway.call(.delete, "/api/v1/users/\(user)", as: .service()).expect(.noContent)
      }
      let entries = try await AuditStore(client: gateway.database).page(before: nil, limit: 9).entries
      let requests = entries.compactMap(\.requestID)
      #expect(entries.count == 2 && Set(requests).count == 2 && !requests.contains(""))
    }
  }

  @Test func `users do not erase themselves where the deployment does not say so`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await gateway.store(1, for: ann.id)
      try await gateway.call(.delete, "/api/v1/me", as: ann).expectProblem("forbidden", .forbidden)
      let list = try await gateway.call(.get, "/api/v1/notifications", as: ann).expect(.ok)
      #expect(list.text.contains(#""totalCount":1"#), "\(list.text)")
      #expect(try await ErasureStore(client: gateway.database).erased(since: nil).marks.isEmpty)
    }
  }

  @Test func `the audit log is read page by page, the newest first, and says who erased`() async throws {
    try await TestGateway.with { gateway in
      let audit = AuditStore(client: gateway.database)
      for number in 1...3 { try await audit.write(actor: "ann", action: "redrive", subject: "\(number)") }
      let ops = try await Caller.service("ops", role: .admin)
      let user = UserID(UUID())
      _ = try await gateway.call(.delete, "/api/v1/users/\(user)", as: ops).expect(.noContent)
      let first = try await gateway.call(.get, "/api/v1/admin/audit?pageSize=2", as: ops).expect(.ok)
      #expect(first.text.contains(#""actor":"ops","action":"user.erase","subject":null"#), "\(first.text)")
      #expect(first.text.contains(#""subject":"3""#) && !first.text.contains(#""subject":"2""#), "\(first.text)")
      #expect(!first.text.contains(user.description))
      let page = try await audit.page(before: nil, limit: 2)
      let next = try #require(page.entries.last?.id)
      #expect(first.text.hasSuffix(#""hasMore":true,"next":"\#(next)"}"#), "\(first.text)")
      let rest = try await gateway.call(.get, "/api/v1/admin/audit?pageSize=2&after=\(next)", as: ops).expect(.ok)
      #expect(rest.text.contains(#""subject":"2""#) && rest.text.contains(#""subject":"1""#), "\(rest.text)")
      #expect(rest.text.hasSuffix(#""hasMore":false,"next":null}"#), "\(rest.text)")
    }
  }

  @Test(arguments: [
    ("after=x", "after"), ("after=-1", "after"), ("pageSize=0", "pageSize"), ("pageSize=101", "pageSize"),
  ])
  func `a page that there cannot be is refused`(_ query: String, _ field: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/api/v1/admin/audit?\(query)", as: .service("ops", role: .admin))
      #expect(try answer.expectProblem("validation", .badRequest) == [field])
    }
  }
}
