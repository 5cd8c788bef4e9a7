import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// Who is limited, and what they are told. The limits' clock stands still.
@Suite struct RateLimitTests {
  private static let devices = "/api/v1/devices"

  private static func from(_ address: String) -> HTTPFields { [.forwardedFor: address] }

  @Test func `a user is told in every answer what is left, errors too`() async throws {
    try await TestGateway.with(edge: EdgeConfiguration(userRate: 2)) { gateway in
      let ann = try await Caller.user()
      let expected: [(HTTPResponse.Status, String)] = [
        (.ok, Self.devices), (.notFound, "/api/v1/notifications/\(UUID())"),
        (.badRequest, "/api/v1/notifications?page=0"), (.forbidden, "/api/v1/requests/\(UUID())"),
      ]
      for (index, (status, path)) in expected.enumerated() {
        let answer = try await gateway.call(.get, path, as: ann).expect(status)
        #expect(answer.headers[.rateLimitPolicy] == #""user";q=4;w=2"#)
        #expect(answer.headers[.rateLimit] == #""user";r=\#(3 - index);t=1"#)
      }
      let refused = try await gateway.call(.get, Self.devices, as: ann)
      try refused.expectProblem("too-many-requests", .tooManyRequests)
      #expect(refused.headers[.rateLimit] == #""user";r=0;t=1"#)
      #expect(refused.headers[.rateLimitPolicy] == #""user";q=4;w=2"#)
      #expect(refused.headers[.retryAfter] == "1")
      let open = try await gateway.call(.get, "/catalogue").expect(.ok)
      #expect(open.headers[.rateLimit] == nil && open.headers[.rateLimitPolicy] == nil)
    }
  }

  @Test func `a service is limited by its name, and a key by itself`() async throws {
    try await TestGateway.with(edge: EdgeConfiguration(userRate: 1, serviceRate: 2)) { gateway in
      let shop = try await Caller.service()
      let path = "/api/v1/schedules"
      for left in [3, 2, 1, 0] {
        let answer = try await gateway.call(.get, path, as: shop).expect(.ok)
        #expect(answer.headers[.rateLimit] == #""service";r=\#(left);t=1"#)
      }
      try await gateway.call(.get, path, as: shop).expectProblem("too-many-requests", .tooManyRequests)
      _ = try await gateway.call(.get, path, as: .service("bank")).expect(.ok)
      let keys = try await gateway.makeKeys(2, scope: "read")
      for key in keys {
        for _ in 0..<4 { _ = try await gateway.call(.get, path, headers: [.apiKey: key]).expect(.ok) }
        try await gateway.call(.get, path, headers: [.apiKey: key])
          .expectProblem("too-many-requests", .tooManyRequests)
      }
    }
  }

  @Test func `an address is limited whoever asks, but for probes, and answers say what is left of both limits`()
    async throws
  {
    let edge = EdgeConfiguration(userRate: 5, addressRate: 2, trustsForwardedFor: true)
    try await TestGateway.withoutDatabase(edge: edge) { gateway in
      let first = try await gateway.call(.get, Self.devices, as: .user(), headers: Self.from("192.0.2.1"))
      #expect(first.headers[.rateLimitPolicy] == #""user";q=10;w=2, "address";q=4;w=2"#)
      #expect(first.headers[.rateLimit] == #""user";r=9;t=1, "address";r=3;t=1"#)
      for path in ["/catalogue", "/nothing", Self.devices] {
        let answer = try await gateway.call(.get, path, headers: Self.from("192.0.2.1"))
        #expect(answer.status != .tooManyRequests)
        #expect(answer.headers[.rateLimitPolicy] == #""address";q=4;w=2"#)
      }
      let refused = try await gateway.call(.get, "/catalogue", headers: Self.from("192.0.2.1"))
      try refused.expectProblem("too-many-requests", .tooManyRequests)
      #expect(refused.headers[.rateLimit] == #""address";r=0;t=1"#)
      _ = try await gateway.call(.get, "/health/live", headers: Self.from("192.0.2.1")).expect(.ok)
      _ = try await gateway.call(.get, "/catalogue", headers: Self.from("192.0.2.2")).expect(.ok)
      // Some proxies add the port.
      for (address, isRefused) in [
        ("192.0.2.1:5678", true), ("192.0.2.7:5678", false), ("[2001:db8::1]:5678", false), ("2001:db8:0:1::1", false),
      ] {
        let answer = try await gateway.call(.get, "/catalogue", headers: Self.from(address))
        #expect((answer.status == .tooManyRequests) == isRefused, "\(address)")
        #expect(answer.headers[.rateLimit] == (isRefused ? #""address";r=0;t=1"# : #""address";r=3;t=1"#), "\(address)")
      }
      // What a client writes comes before what its proxy adds.
      try await gateway.call(.get, "/catalogue", headers: Self.from("198.51.100.9, 192.0.2.1"))
        .expectProblem("too-many-requests", .tooManyRequests)
    }
  }

  @Test func `without a trusted proxy nobody says where they come from`() async throws {
    try await TestGateway.withoutDatabase(edge: EdgeConfiguration(addressRate: 1)) { gateway in
      for number in 1...2 {
        _ = try await gateway.call(.get, "/catalogue", headers: Self.from("192.0.2.\(number)")).expect(.ok)
      }
      try await gateway.call(.get, "/catalogue", headers: Self.from("192.0.2.3"))
        .expectProblem("too-many-requests", .tooManyRequests)
    }
  }

  @Test func `refused tokens are counted by address, and stand in nobody's way whose token was valid before`()
    async throws
  {
    let edge = EdgeConfiguration(refusedRate: 1, trustsForwardedFor: true)
    try await TestGateway.with(edge: edge) { gateway in
      let ann = try await Caller.user()
      // A valid one costs its address nothing.
      for _ in 0..<3 {
        _ = try await gateway.call(.get, Self.devices, as: ann, headers: Self.from("192.0.2.1")).expect(.ok)
        _ = try await gateway.call(.get, Self.devices, as: .user(), headers: Self.from("192.0.2.1")).expect(.ok)
      }
      let token = try TokenMinter.mint(secret: "another secret of thirty-two bytes", subject: "shop")
      let stranger = Caller(id: UserID(UUID()), token: token)
      for (left, caller) in [(1, stranger), (0, nil)] as [(Int, Caller?)] {
        let answer = try await gateway.call(.get, Self.devices, as: caller, headers: Self.from("192.0.2.1"))
        try answer.expectProblem("unauthorized", .unauthorized)
        #expect(answer.headers[.rateLimit] == #""refused";r=\#(left);t=1"#)
        #expect(answer.headers[.rateLimitPolicy] == #""refused";q=2;w=2"#)
      }
      for headers in [Self.from("192.0.2.1"), [.forwardedFor: "192.0.2.1", .apiKey: "no key"]] as [HTTPFields] {
        let answer = try await gateway.call(.get, Self.devices, headers: headers)
        try answer.expectProblem("too-many-requests", .tooManyRequests)
        #expect(answer.headers[.retryAfter] == "1")
        #expect(answer.headers[.rateLimit] == #""refused";r=0;t=1"#)
      }
      _ = try await gateway.call(.get, Self.devices, as: ann, headers: Self.from("192.0.2.1")).expect(.ok)
      try await gateway.call(.get, Self.devices, as: stranger, headers: Self.from("192.0.2.2"))
        .expectProblem("unauthorized", .unauthorized)
    }
  }

  @Test func `a token that nobody has seen costs a signature check only while its address may be refused more`()
    async throws
  {
    try await TestGateway.with(edge: EdgeConfiguration(refusedRate: 1)) { gateway in
      let expired = Caller(
        id: UserID(UUID()),
        token: try TokenMinter.mint(secret: TestGateway.secret, subject: "shop", now: .now - 86_400)
      )
      for left in [1, 0] {
        let answer = try await gateway.call(.get, Self.devices, as: expired)
        try answer.expectProblem("unauthorized", .unauthorized)
        #expect(answer.text.contains("The token has expired."))
        #expect(answer.headers[.rateLimit] == #""refused";r=\#(left);t=1"#)
      }
      // Nothing tells a valid one from others but the check that is not made.
      for caller in [expired, try await Caller.user()] {
        let answer = try await gateway.call(.get, Self.devices, as: caller)
        try answer.expectProblem("too-many-requests", .tooManyRequests)
        #expect(answer.headers[.retryAfter] == "1")
      }
    }
  }

  @Test func `invented keys of one address reach the database no faster than refusals are allowed`() async throws {
    // Without a database a lookup is seen: it is answered 503.
    try await TestGateway.withoutDatabase(edge: EdgeConfiguration(refusedRate: 2)) { gateway in
      for _ in 0..<4 {
        try await gateway.call(.get, "/api/v1/schedules", headers: [.apiKey: APIKey.make()])
          .expectProblem("unavailable", .serviceUnavailable)
      }
      for _ in 0..<4 {
        try await gateway.call(.get, "/api/v1/schedules", headers: [.apiKey: APIKey.make()])
          .expectProblem("too-many-requests", .tooManyRequests)
      }
    }
  }

  @Test func `a valid key costs its address nothing, and passes where others have used up what is refused`()
    async throws
  {
    let uptime = SettableUptime()
    try await TestGateway.with { gateway in
      let keys = try await gateway.makeKeys(4, scope: "read")
      try await gateway.beside(edge: EdgeConfiguration(refusedRate: 1), uptime: { uptime.now }) { gateway in
        func call(_ key: String) async throws -> Answer {
          try await gateway.call(.get, "/api/v1/schedules", headers: [.apiKey: key])
        }
        for key in keys.dropLast() { _ = try await call(key).expect(.ok) }
        for _ in 0..<2 { try await call(APIKey.make()).expectProblem("unauthorized", .unauthorized) }
        try await call(APIKey.make()).expectProblem("too-many-requests", .tooManyRequests)
        // Looked up again, as one that was valid before.
        uptime.advance(by: APIKeyVerifier.validFor)
        _ = try await call(keys[0]).expect(.ok)
        // A key that nobody has seen is like any other.
        try await call(keys[3]).expectProblem("too-many-requests", .tooManyRequests)
      }
    }
  }

  @Test func `however many keys are invented at once, a bounded number waits, and known ones wait for none`()
    async throws
  {
    let uptime = SettableUptime()
    try await TestDatabase.with(connections: 1) { client in
      let store = APIKeyStore(client: client)
      let known = APIKey.make()
      let now = Date(timeIntervalSince1970: 4_000_000_000)
      try await store.create(
        APIKeyStore.Key(id: APIKeyID(RequestID(now: now).uuid), name: "shop", scopes: ["send"], createdAt: now),
        hash: try #require(APIKey.hash(of: known)),
        by: "ops"
      )
      let verifier = APIKeyVerifier(store: store, now: { uptime.now }, logger: .quiet)
      #expect(try await verifier.verify(known) != nil)
      uptime.advance(by: APIKeyVerifier.validFor)
      let count = UnknownKeyLimiter.maximum
      try await withThrowingTaskGroup(of: String.self) { group in
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        let (held, holding) = AsyncStream.makeStream(of: Void.self)
        group.addTask {
          // While the only connection is taken, every lookup waits.
          try await client.withConnection { _ in
            holding.finish()
            for await _ in release {}
          }
          return "released"
        }
        for await _ in held {}
        for _ in 0..<(count + 3) {
          group.addTask {
            do {
              return try await verifier.verify(APIKey.make()) == nil ? "unknown" : "valid"
            } catch let problem as Problem {
              return "\(problem.status.code)"
            }
          }
        }
        for _ in 0..<3 {
          let outcome = try await group.next()
          #expect(outcome == "503")
        }
        group.addTask { try await verifier.verify(known) == nil ? "forgotten" : "known" }
        releasing.finish()
        let rest = try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        #expect(rest == ["released": 1, "unknown": count, "known": 1])
      }
      // Nothing is held up afterwards.
      for _ in 0..<(count + 1) { #expect(try await verifier.verify(APIKey.make()) == nil) }
    }
  }
}

extension TestGateway {
  /// Makes keys of a scope.
  fileprivate func makeKeys(_ count: Int, scope: String) async throws -> [String] {
    let admin = try await Caller.service("ops", role: .admin)
    var keys: [String] = []
    for number in 0..<count {
      let body = #"{"name":"\#(number)","scopes":["\#(scope)"]}"#
      let made = try await call(.post, "/api/v1/admin/api-keys", as: admin, body: body).expect(.created)
      keys.append(try #require(try made.json()["key"] as? String))
    }
    return keys
  }
}
