import Foundation
import HTTPTypes
import JSON
import TestSupport
import Testing

@testable import Gateway

/// Bodies made to break things, for every route that reads one.
@Suite struct BodyAttackTests {
  private static func routes() throws -> [Route] {
    try TestGateway.routes().filter { try !DescribedRoute.of($0).bodies.isEmpty }
  }

  @Test(arguments: try routes())
  func `no body makes the gateway fail, and what is refused is told why`(_ route: Route) async throws {
    let described = try DescribedRoute.of(route)
    let seed = Attack.seed(of: route)
    print("attack on \(route.name): \(Attack.mutations) bodies, BELFRY_SEED=\(Attack.seed)")
    try await RouteCase.gateway { gateway in
      let caller = try await route.caller()
      let ask = try await RouteCase.of(route).ask(gateway, caller)
      let valid = try ask.body.map { [try JSONParser.parse(Array($0.utf8))] } ?? described.bodies
      var mutator = BodyMutator(valid, seed: seed)
      var headers = SplitMix64(seed: ~seed)
      var (served, refused, memory) = (0, 0, 0)
      for number in 0..<Attack.mutations {
        if number == Attack.mutations / 4 { memory = try ResidentMemory.current() }
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
      // Neither is everything refused before it is read, nor is nothing.
      #expect(served > 0 && refused > 0, "\(served) served, \(refused) refused")
      let grown = try ResidentMemory.current() - memory
      #expect(grown < Attack.memory, "\(grown >> 20) MiB more")
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
