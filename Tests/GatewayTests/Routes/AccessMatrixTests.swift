import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// Every route of the table, asked by everybody for something that is there.
@Suite struct AccessMatrixTests {
  /// Takes the routes one after the other: what fails at one does not keep the others from being asked.
  private func each(
    _ isMeant: (Route) -> Bool = { _ in true },
    _ body: (Route, RouteCase) async throws -> Void
  ) async throws {
    for route in try TestGateway.routes() where isMeant(route) {
      do {
        try await body(route, try RouteCase.of(route))
      } catch {
        Issue.record("\(route.name): \(error)")
      }
    }
  }

  @Test func `a route refuses whom the table does not name, and nothing has happened then`() async throws {
    try await RouteCase.gateway { gateway in
      let visitors = try await Visitor.everybody(gateway)
      try await each { route, routeCase in
        let ask = try await routeCase.ask(gateway, try await route.caller())
        let (rows, published) = (try await gateway.rows(), gateway.broker.steps.count)
        for visitor in visitors {
          let verdict = visitor.verdict(route.access)
          guard verdict != .welcome else { continue }
          let answer = try await gateway.call(route, ask, headers: visitor.headers)
          let (kind, status): (String, HTTPResponse.Status) =
            switch verdict {
            case .unclear: ("malformed", .badRequest)
            case .unknown: ("unauthorized", .unauthorized)
            default: ("forbidden", .forbidden)
            }
          let who = "\(route.name), \(visitor.name): \(answer.status) \(answer.text)"
          #expect(answer.status == status, "\(who)")
          #expect(answer.text.contains(#""type":"urn:belfry:problem:\#(kind)""#), "\(who)")
          #expect(answer.headers[.contentType] == "application/problem+json", "\(who)")
          #expect((answer.headers[.wwwAuthenticate] == "Bearer") == (verdict == .unknown), "\(who)")
        }
        #expect(try await gateway.rows() == rows, "\(route.name)")
        #expect(gateway.broker.steps.count == published, "\(route.name)")
      }
    }
  }

  @Test func `a route serves whom the table names, as it is described`() async throws {
    try await RouteCase.gateway { gateway in
      let visitors = try await Visitor.everybody(gateway)
      try await each { route, routeCase in
        let described = try DescribedRoute.of(route)
        let welcome = visitors.filter { $0.verdict(route.access) == .welcome }
        #expect(!welcome.isEmpty, "\(route.name)")
        for visitor in welcome {
          // A user of the route's own: one route erases its user.
          let caller = visitor.kind == .user ? try await .user() : visitor.caller
          let nobody = try await Caller.user()
          let ask = try await routeCase.ask(gateway, caller ?? nobody)
          let answer = try await gateway.call(route, ask, headers: caller?.headers ?? visitor.headers)
          let who = "\(route.name), \(visitor.name): \(answer.status) \(answer.text)"
          #expect(described.successes.contains(answer.status.code), "\(who)")
          // An answer to a change need not name what it changed.
          if route.method == .get, let secret = ask.secret { #expect(answer.text.contains(secret), "\(who)") }
        }
      }
    }
  }

  @Test func `what is somebody else's is not there, and stays as it is`() async throws {
    try await RouteCase.gateway { gateway in
      try await each({ $0.access != .open }) { route, routeCase in
        if routeCase.forOthers == .shared { return }
        let described = try DescribedRoute.of(route)
        let (owner, other) = (try await route.caller(), try await route.caller(service: "bank"))
        let ask = try await routeCase.ask(gateway, owner)
        let rows = try await gateway.rows(mentioning: owner.subject)
        let answer = try await gateway.call(route, ask, headers: other.headers)
        let what = "\(route.name): \(answer.status) \(answer.text)"
        switch routeCase.forOthers {
        case .missing: #expect(answer.status == .notFound, "\(what)")
        case .refused: #expect(answer.status == .badRequest, "\(what)")
        case .apart, .shared: #expect(described.successes.contains(answer.status.code), "\(what)")
        }
        if let secret = ask.secret { #expect(!answer.text.contains(secret), "\(what)") }
        #expect(try await gateway.rows(mentioning: owner.subject) == rows, "\(what)")
        // It was there all the time.
        let own = try await gateway.call(route, ask, headers: owner.headers)
        #expect(described.successes.contains(own.status.code), "\(route.name): \(own.status) \(own.text)")
      }
    }
  }

  @Test func `whatever names something of a user's is asked for another's`() throws {
    for route in try TestGateway.routes() where route.access == .user && route.path.contains(":") {
      #expect([.missing, .apart].contains(try RouteCase.of(route).forOthers), "\(route.name)")
    }
  }
}
