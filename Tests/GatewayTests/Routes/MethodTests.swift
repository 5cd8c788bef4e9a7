import HTTPTypes
import Testing

@testable import Gateway

/// What paths answer to methods that they do not have.
@Suite struct MethodTests {
  private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]

  @Test(arguments: try Set(TestGateway.routes().map(\.path)).sorted())
  func `a path with another method is answered with those it has, without a token`(_ path: String) async throws {
    let known = try TestGateway.routes().filter { $0.path == path }.flatMap(\.methods)
    let brew = try #require(HTTPRequest.Method("BREW"))
    try await TestGateway.withoutDatabase { gateway in
      for method in Self.methods + [brew] where !known.contains(method) {
        let answer = try await gateway.call(method, Route.example(of: path))
        if method == .head {
          #expect(answer.status == .methodNotAllowed && answer.body.isEmpty)
        } else {
          try answer.expectProblem("method-not-allowed", .methodNotAllowed)
        }
        #expect(answer.headers[.allow] == known.map(\.rawValue).sorted().joined(separator: ", "))
      }
    }
  }

  @Test func `a path that is nobody's stays unknown whatever the method`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      for method in Self.methods {
        for path in ["/", "/api/v1", "/api/v1/nothing", "/api/v1/devices/1/2/3"] {
          let answer = try await gateway.call(method, path)
          if method == .head {
            #expect(answer.status == .notFound && answer.body.isEmpty)
          } else {
            try answer.expectProblem("not-found", .notFound)
          }
          #expect(answer.headers[.allow] == nil)
        }
      }
    }
  }

  @Test func `a path of its own is no id: only its own methods are named`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/api/v1/notifications/read")
      try answer.expectProblem("method-not-allowed", .methodNotAllowed)
      #expect(answer.headers[.allow] == "POST")
    }
  }
}
