import Authentication
import Foundation
import HTTPTypes
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// Services that come with an API key.
struct APIKeyTests {
  private static let path = "/api/v1/admin/api-keys"
  private static let sends = "/api/v1/notifications"
  private static let send =
    #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":1,"title":"t","body":"b"}"#
  /// A key as it could be, and is not.
  private static let unknown = "belfry_" + String(repeating: "x", count: 43)

  @Test func `a key is shown once, sends what a service sends, and is known by its own name`() async throws {
    try await TestGateway.with { gateway in
      let made = try await gateway.make(#"{"name":"shop"}"#)
      #expect(Set(try made.json().keys) == ["id", "name", "scopes", "key"])
      let (id, key) = (try made.text("id"), try made.text("key"))
      #expect(try made.json()["scopes"] as? [String] == ["send"])
      #expect(try #/belfry_[0-9A-Za-z]{43}/#.wholeMatch(in: key) != nil)
      let sent = try await gateway.call(.post, Self.sends, key: key, body: Self.send).expect(.accepted)
      #expect(gateway.ingested.map(\.owner) == [.named("key:\(id)")])
      // Seeing what came of it takes the other scope.
      let request = "/api/v1/requests/\(try sent.text("requestId"))"
      try await gateway.call(.get, request, key: key).expectProblem("forbidden", .forbidden)
      let stored = try await gateway.database.query("SELECT hash, name, scopes, created_by FROM api_keys")
      #expect(stored.count == 1)
      let row = try #require(stored.first)
      #expect(try row.get("hash", as: PostgresBytes.self).bytes == APIKey.hash(of: key))
      #expect(try row.get("created_by", as: String.self) == "ops")
      let list = try await gateway.call(.get, Self.path, as: .admin()).expect(.ok)
      #expect(!list.text.contains(key))
      #expect(try list.list("apiKeys").map { $0["id"] as? String } == [id])
      #expect(try list.list("apiKeys").first?["lastUsedAt"] is NSNull)
    }
  }

  @Test func `a key of the scope read reads, and no key does what users and admins do`() async throws {
    try await TestGateway.with { gateway in
      let key = try await gateway.make(#"{"name":"reader","scopes":["read"]}"#).text("key")
      _ = try await gateway.call(.get, "/api/v1/schedules", key: key).expect(.ok)
      try await gateway.call(.post, Self.sends, key: key, body: Self.send).expectProblem("forbidden", .forbidden)
      let both = try await gateway.make(#"{"name":"both","scopes":["read","send"]}"#).text("key")
      for (method, path) in [(HTTPRequest.Method.get, Self.sends), (.get, Self.path), (.post, Self.path)] {
        let refused = try await gateway.call(method, path, key: both, body: method == .post ? #"{"name":"n"}"# : nil)
        try refused.expectProblem("forbidden", .forbidden)
        #expect(try refused.text("detail") == "an API key is a service's, whatever its scopes")
      }
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test func `a key that sends changes nobody, unless it was made for that too`() async throws {
    try await TestGateway.with { gateway in
      let sender = try await gateway.make(#"{"name":"shop"}"#).text("key")
      let keeper = try await gateway.make(#"{"name":"people","scopes":["directory"]}"#).text("key")
      let user = UserID(UUID())
      let changes: [(HTTPRequest.Method, String, String?)] = [
        (.put, "/api/v1/users/\(user)", #"{"displayName":"Ann"}"#),
        (.patch, "/api/v1/users/\(user)", #"{"locale":"de"}"#),
        (.put, "/api/v1/groups/g", #"{"members":[]}"#),
        (.post, "/api/v1/groups/g/members", #"{"members":["\#(user)"]}"#),
        (.delete, "/api/v1/groups/g/members/\(user)", nil), (.put, "/api/v1/groups/g/members/\(user)", nil),
        (.delete, "/api/v1/groups/g", nil), (.delete, "/api/v1/users/\(user)", nil),
      ]
      for (method, path, body) in changes {
        try await gateway.call(method, path, key: sender, body: body).expectProblem("forbidden", .forbidden)
        let done = try await gateway.call(method, path, key: keeper, body: body)
        #expect(done.status.kind == .successful, "\(method) \(path): \(done.text)")
      }
      try await gateway.call(.post, Self.sends, key: keeper, body: Self.send).expectProblem("forbidden", .forbidden)
      try await gateway.call(.get, "/api/v1/users/\(user)", key: keeper).expectProblem("forbidden", .forbidden)
    }
  }

  @Test func `a revoked key is refused by every gateway in time, and its name stays in the audit`() async throws {
    let uptime = SettableUptime()
    try await TestGateway.with { gateway in
      try await gateway.beside(uptime: { uptime.now }) { one in
        try await one.beside(uptime: { uptime.now }) { other in
          let made = try await one.make(#"{"name":"shop"}"#)
          let (id, key) = (try made.text("id"), try made.text("key"))
          for gateway in [one, other] {
            _ = try await gateway.call(.post, Self.sends, key: key, body: Self.send).expect(.accepted)
          }
          let revocation = try await one.call(.delete, "\(Self.path)/\(id)", as: .admin())
          #expect(revocation.status == .noContent)
          uptime.advance(by: APIKeyVerifier.validFor)
          for gateway in [one, other] {
            try await gateway.call(.post, Self.sends, key: key, body: Self.send)
              .expectProblem("unauthorized", .unauthorized)
            #expect(gateway.ingested.count == 1)
          }
          try await one.call(.delete, "\(Self.path)/\(id)", as: .admin()).expectProblem("not-found", .notFound)
          #expect(try await one.call(.get, Self.path, as: .admin()).list("apiKeys").isEmpty)
          let entries = try await AuditStore(client: one.database).page(before: nil, limit: 10).entries
          #expect(entries.map(\.action) == ["apiKey.revoke", "apiKey.create"])
          #expect(entries.allSatisfy { $0.actor == "ops" && $0.subject == id && $0.requestID != nil })
          #expect(entries.allSatisfy { $0.detail?["name"]?.string == "shop" })
        }
      }
    }
    // A revocation is to be true everywhere after 30 seconds.
    #expect(APIKeyVerifier.validFor <= .seconds(15))
  }

  @Test func `what is no valid key is 401, and a key beside a token is refused as it is`() async throws {
    try await TestGateway.with { gateway in
      let key = try await gateway.make(#"{"name":"shop"}"#).text("key")
      for wrong in ["", "belfry_", Self.unknown, key + "x", String(key.dropLast()), key.lowercased() + "é", "x\(key)"] {
        let answer = try await gateway.call(.post, Self.sends, key: wrong, body: Self.send)
        try answer.expectProblem("unauthorized", .unauthorized)
        #expect(wrong.isEmpty || !answer.text.contains(wrong))
      }
      let token = try await Caller.service().token
      for authorization in ["Bearer \(token)", "Basic x", ""] {
        let headers: HTTPFields = [.apiKey: key, .authorization: authorization]
        try await gateway.call(.post, Self.sends, headers: headers, body: Self.send)
          .expectProblem("malformed", .badRequest)
      }
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test func `where the database is away a key is neither right nor wrong`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(.post, Self.sends, key: Self.unknown, body: Self.send)
        .expectProblem("unavailable", .serviceUnavailable)
      try await gateway.call(.post, Self.sends, key: "no key", body: Self.send)
        .expectProblem("unauthorized", .unauthorized)
    }
  }

  @Test func `a known key outlives the database by seconds`() async throws {
    let uptime = SettableUptime()
    let key = APIKey.make()
    let hash = try #require(APIKey.hash(of: key))
    try await TestDatabase.withURL { url in
      let verifier = try await TestDatabase.withClient(of: url) { client in
        let store = APIKeyStore(client: client)
        try await store.create(Self.key("shop", scopes: ["send", "later"]), hash: hash, by: "ops")
        let verifier = APIKeyVerifier(store: store, now: { uptime.now }, logger: .quiet)
        let principal = try #require(try await verifier.verify(key))
        #expect(principal.roles == [.service])
        #expect(principal.scopes == [.send])
        #expect(principal.userID == nil)
        return verifier
      }
      #expect(try await verifier.verify(key) != nil)
      uptime.advance(by: APIKeyVerifier.validFor)
      let error = await #expect(throws: PostgresError.self) { try await verifier.verify(key) }
      #expect(error?.isTransient == true)
    }
  }

  @Test func `when a key was used last is written down, and nothing earlier replaces it`() async throws {
    let clock = SettableClock()
    try await TestDatabase.with { client in
      let store = APIKeyStore(client: client)
      let key = APIKey.make()
      try await store.create(Self.key("shop"), hash: try #require(APIKey.hash(of: key)), by: "ops")
      try await store.create(Self.key("idle"), hash: [1], by: "ops")
      let verifier = APIKeyVerifier(store: store, clock: { clock.now }, logger: .quiet)
      let (first, second) = (clock.now, clock.now + 60)
      _ = try await verifier.verify(key)
      clock.advance(by: 60)
      _ = try await verifier.verify(key)
      await verifier.noteUses()
      func uses() async throws -> [String: Date?] {
        let keys = try await store.list(after: nil, limit: 10).keys
        return Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.lastUsedAt) })
      }
      #expect(try await uses() == ["shop": second, "idle": nil])
      let id = try #require(try await store.list(after: nil, limit: 10).keys.first { $0.name == "shop" }?.id)
      try await store.note([id: first, APIKeyID(UUID()): first])
      #expect(try await uses() == ["shop": second, "idle": nil])
    }
  }

  @Test func `keys are listed page by page, the newest first`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      for number in 1...5 {
        _ = try await gateway.make(#"{"name":"\#(number)"}"#)
        clock.advance(by: 1)
      }
      var (names, next): ([String], String?) = ([], nil)
      repeat {
        let query = "?pageSize=2" + (next.map { "&after=\($0)" } ?? "")
        let page = try await gateway.call(.get, Self.path + query, as: .admin()).expect(.ok)
        names += try page.list("apiKeys").compactMap { $0["name"] as? String }
        next = try page.json()["next"] as? String
        #expect(try page.json()["hasMore"] as? Bool == (next != nil))
      } while next != nil
      #expect(names == ["5", "4", "3", "2", "1"])
      let wrong = try await gateway.call(.get, Self.path + "?pageSize=0&after=x", as: .admin())
      #expect(try wrong.expectProblem("validation", .badRequest) == ["pageSize", "after"])
    }
  }

  @Test(arguments: [
    ("{}", ["name"]), (#"{"name":""}"#, ["name"]), (#"{"name":"a\nb"}"#, ["name"]),
    (#"{"name":"n","scopes":[]}"#, ["scopes"]),
    (#"{"name":"n","scopes":["send","send"]}"#, ["scopes"]), (#"{"name":"n","scopes":["admin"]}"#, ["scopes"]),
    (#"{"name":"n","scopes":"send"}"#, ["scopes"]), (#"{"name":"n","scope":["read"]}"#, ["scope"]),
  ])
  func `a key that is not meant is not made`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.with { gateway in
      let answer = try await gateway.call(.post, Self.path, as: .admin(), body: body)
      #expect(Set(try answer.expectProblem("validation", .badRequest)) == Set(fields))
      #expect(try await gateway.database.query("SELECT FROM api_keys").isEmpty)
      #expect(try await gateway.database.query("SELECT FROM audit").isEmpty)
    }
  }

  @Test func `many callers with one key share a lookup's answer`() async throws {
    try await TestDatabase.with { client in
      let store = APIKeyStore(client: client)
      let key = APIKey.make()
      try await store.create(Self.key("shop"), hash: try #require(APIKey.hash(of: key)), by: "ops")
      let verifier = APIKeyVerifier(store: store, logger: .quiet)
      let subjects = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<200 { group.addTask { try await verifier.verify(key)?.subject } }
        return try await group.reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }
      }
      #expect(subjects.count == 1)
      #expect(subjects.first?.key?.hasPrefix("key:") == true)
    }
  }

  private static func key(_ name: String, scopes: [String] = ["send"]) -> APIKeyStore.Key {
    let now = Date(timeIntervalSince1970: 4_000_000_000)
    return APIKeyStore.Key(id: APIKeyID(RequestID(now: now).uuid), name: name, scopes: scopes, createdAt: now)
  }
}

extension TestGateway {
  /// Makes a key.
  fileprivate func make(_ body: String) async throws -> Answer {
    try await call(.post, "/api/v1/admin/api-keys", as: .admin(), body: body).expect(.created)
  }

  fileprivate func call(
    _ method: HTTPRequest.Method,
    _ path: String,
    key: String,
    body: String? = nil
  ) async throws -> Answer {
    try await call(method, path, headers: [.apiKey: key], body: body)
  }
}

extension Caller {
  fileprivate static func admin() async throws -> Caller {
    try await .service("ops", role: .admin)
  }
}

extension Answer {
  fileprivate func text(_ name: String) throws -> String {
    try #require(try json()[name] as? String)
  }
}
