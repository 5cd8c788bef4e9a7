import Foundation
import HTTPTypes
import BelfryJSON
import TestSupport
import Testing

@testable import Gateway

/// Bodies made to break things, for every route that reads one.
@Suite struct BodyAttackTests {
  private static func routes() throws -> [Route] {
    try TestGateway.routes().filter { try !DescribedRoute.of($0).bodies.isEmpty }
  }

  @Test(arguments: try routes())
  func `no body makes the gateway fail, and a refusal says why`(_ route: Route) async throws {
    let described = try DescribedRoute.of(route)
    let seed = Attack.seed(of: route)
    print("attack on \(route.name): \(Attack.mutations) bodies, BELFRY_SEED=\(Attack.seed)")
    try await RouteCase.gateway { gateway in
      let caller = try await route.caller()
      let ask = try await RouteCase.of(route).ask(gateway, caller)
      let valid = try ask.body.map { [try JSONParser.parse(Array($0.utf8))] } ?? described.bodies
      var mutator = BodyMutator(valid, seed: seed)
      var headers = SplitMix64(seed: ~seed)
      var (served, refused) = (0, 0)
      for number in 0..<Attack.mutations {
        let body = mutator.next()
        let answer = try await gateway.attack(route, ask, headers.attack(caller.headers), body)
        if let objection = Attack.objection(to: answer, described: described) {
          let text = String(decoding: body.prefix(1_000), as: UTF8.self)
          Issue.record("body \(number) of \(route.name): \(objection)\n\(text.debugDescription)")
          return
        }
        if answer.status.code < 300 { served += 1 } else { refused += 1 }
        gateway.broker.forget()
      }
      // Neither is everything refused before it is read, nor is nothing; of what is signed, all that is changed is refused.
      let isSigned = route.path.contains("/webhooks/bounces/")
      #expect((served > 0 || isSigned) && refused > 0, "\(served) served, \(refused) refused")
    }
  }

  /// All routes of one gateway in turn, so that it is long. What is answered is the other test's.
  @Test func `memory stays, whatever bodies come`() async throws {
    let each = Attack.mutations / 2
    try await RouteCase.gateway { gateway in
      var attacks: [LongAttack] = []
      for route in try Self.routes() { attacks.append(try await LongAttack(route, gateway)) }
      var (served, refused) = (0, 0)
      func go(_ rounds: Int) async throws {
        for _ in 0..<rounds {
          for index in attacks.indices {
            if try await attacks[index].isServed() { served += 1 } else { refused += 1 }
            gateway.broker.forget()
          }
        }
      }
      // Until what is kept on purpose is there: connections, their statements, caches.
      try await go(each / 3)
      let before = try ResidentMemory.current()
      try await go(each - each / 3)
      let grown = try ResidentMemory.current() - before
      let bodies = (each - each / 3) * attacks.count
      print("memory: \(grown >> 10) KiB more after \(bodies) bodies, \(Attack.memory(after: bodies) >> 10) are allowed")
      #expect(served > attacks.count && refused > attacks.count, "\(served) served, \(refused) refused")
      #expect(grown < Attack.memory(after: bodies), "\(grown >> 10) KiB more after \(bodies) bodies")
    }
  }

  @Test func `the same seed gives the same bodies, and another one others`() throws {
    let valid = try DescribedRoute.all.get().values.flatMap(\.bodies)
    func bodies(_ seed: UInt64) -> [[UInt8]] {
      var mutator = BodyMutator(valid, seed: seed)
      return (0..<200).map { _ in mutator.next() }
    }
    #expect(bodies(1) == bodies(1))
    #expect(Set(bodies(1)).count > 100)
    #expect(bodies(1) != bodies(2))
  }
}

/// Of one route among all.
private struct LongAttack {
  let route: Route
  let gateway: TestGateway
  let caller: Caller
  let ask: RouteCase.Ask
  var mutator: BodyMutator
  var headers: SplitMix64

  init(_ route: Route, _ gateway: TestGateway) async throws {
    (self.route, self.gateway) = (route, gateway)
    caller = try await route.caller()
    ask = try await RouteCase.of(route).ask(gateway, caller)
    let valid = try ask.body.map { [try JSONParser.parse(Array($0.utf8))] } ?? DescribedRoute.of(route).bodies
    mutator = BodyMutator(valid, seed: Attack.seed(of: route))
    headers = SplitMix64(seed: ~Attack.seed(of: route))
  }

  mutating func isServed() async throws -> Bool {
    let body = mutator.next()
    return try await gateway.attack(route, ask, headers.attack(caller.headers), body).status.code < 300
  }
}

extension SplitMix64 {
  /// Some of those headers that say how a body is read and what is to hold before.
  fileprivate mutating func attack(_ headers: HTTPFields) -> HTTPFields {
    var headers = headers
    headers[.contentType] = below(20) == 0 ? "text/plain" : "application/json; charset=utf-8"
    let values = [
      "*", "\"1\"", "W/\"1\"", "\"", "", "k", String(repeating: "k", count: 300), "a b", "é", "\"\", \"x\"",
    ]
    for name in [HTTPField.Name.ifMatch, .ifNoneMatch, .idempotencyKey] where below(12) == 0 {
      headers[name] = values[below(values.count)]
    }
    return headers
  }
}
