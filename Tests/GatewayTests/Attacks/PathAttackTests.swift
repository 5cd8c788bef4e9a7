import Foundation
import HTTPTypes
import BelfryJSON
import Testing

@testable import Gateway

/// Paths and queries made to break things, for every route that reads one.
@Suite struct PathAttackTests {
  /// As they stand in a URL.
  private static let pieces = [
    "%00", "a%00b", "%ff", "%C3", "%ED%A0%80", "%", "%4", "%zz", "%25", "%2F", "%2f..%2f", ".", "..", "%2e%2e", "+",
    "%20",
    "%0A", "%0d%0aX:%20y", "%E2%80%AE", "%F0%9F%92%A9", "*", "null", "true", "-1", "0", "1e3", "0x10", "%D9%A3",
    "99999999999999999999", "-9223372036854775808", "9223372036854775807", "9223372036854775808",
    "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "ffffffff-ffff-7fff-bfff-ffffffffffff", "4f9c1c1e-0001-4000-8000-00000000000", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:60Z", "2026-02-30", "..%2f..%2fetc%2fpasswd", "'%3B%20DROP%20TABLE%20users%3B--", "$1", "{id}",
    ":id", String(repeating: "a", count: 5_000), String(repeating: "%F0%9F%91%A9", count: 1_000), "e%CC%81", ";a=b",
  ]
  /// In a query only.
  private static let values = pieces + ["", "1&%NAME%=2", "a=b", "a%26b", "1,2", "[]", "%NAME%", "a?b", "\u{FF11}"]

  @Test func `no piece of a path makes the gateway fail, and a refusal says why`() async throws {
    try await RouteCase.gateway { gateway in
      // Erasing comes last: by a clock that stands still, what follows would have been asked for before.
      let routes = try TestGateway.routes().filter { $0.path.contains(":") }
      for route in routes.filter({ $0.method != .delete }) + routes.filter({ $0.method == .delete }) {
        let caller = try await route.caller()
        let known = try await RouteCase.of(route).ask(gateway, caller)
        let path = try #require(known.path)
        let query = path.firstIndex(of: "?").map { path[$0...] } ?? ""
        let body = try DescribedRoute.of(route).bodies.first.map { Array(JSONWriter.text($0).utf8) } ?? []
        let there = path.prefix { $0 != "?" }.split(separator: "/")
        for (index, name) in route.path.split(separator: "/").enumerated() where name.first == ":" {
          for piece in Self.pieces {
            var parts = there
            parts[index] = Substring(piece)
            var ask = known
            ask.path = "/" + parts.joined(separator: "/") + query
            let answer = try await gateway.attack(route, ask, caller.headers, body)
            // Another path may be meant then: what is described here does not hold there.
            let objection = Attack.objection(to: answer, described: nil)
            #expect(objection == nil, "\(route.name) with \(name) as \(piece.prefix(100)): \(objection ?? "")")
          }
        }
      }
    }
  }

  @Test func `no query makes the gateway fail, and a refusal says why`() async throws {
    try await RouteCase.gateway { gateway in
      var (served, refused) = (0, 0)
      for route in try TestGateway.routes() where route.method == .get {
        let described = try DescribedRoute.of(route)
        let caller = try await route.caller()
        let known = try await RouteCase.of(route).ask(gateway, caller)
        let path = known.path ?? route.path
        // One that nobody knows is passed over.
        for name in described.query + ["unknown"] {
          for value in Self.values {
            var ask = known
            ask.path = "\(path)\(path.contains("?") ? "&" : "?")\(name)=\(value.replacing("%NAME%", with: name))"
            let answer = try await gateway.attack(route, ask, caller.headers, [])
            let objection = Attack.objection(to: answer, described: described)
            #expect(objection == nil, "\(route.name)?\(name)=\(value.prefix(100)): \(objection ?? "")")
            if answer.status.code < 300 { served += 1 } else { refused += 1 }
          }
        }
      }
      #expect(served > 100 && refused > 100, "\(served) served, \(refused) refused")
    }
  }
}
