import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// Paths that name nothing.
@Suite struct PathTests {
  @Test(arguments: ["%00", "a%00b", "%", "%4", "%zz", "a%C3", "%FF", "%ED%A0%80", "%C0%80"])
  func `NUL, broken escapes and bytes that are no UTF-8 in a path are malformed`(_ piece: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let shop = try await Caller.service()
      for path in ["groups/\(piece)", "users/\(piece)", "\(piece)/devices", "nothing/\(piece)"] {
        let answer = try await gateway.call(.put, "/api/v1/\(path)", as: shop, body: #"{"members":[]}"#)
        try answer.expectProblem("malformed", .badRequest)
      }
    }
  }

  /// As WHATWG's URLs, Python's and .NET's ask for `groups/g/members/..`, however it is escaped.
  @Test func `what a URL library makes of two dots deletes nothing`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let ann = try await Caller.user()
      let body = #"{"members":["\#(ann.id)"]}"#
      _ = try await gateway.call(.put, "/api/v1/groups/g", as: shop, body: body).expect(.ok)
      for (path, caller) in [("groups/g/", shop), ("notifications/", ann), ("me/", ann), ("schedules/", shop)] {
        try await gateway.call(.delete, "/api/v1/\(path)", as: caller).expectProblem("not-found", .notFound)
      }
      #expect(try await gateway.call(.get, "/api/v1/groups/g", as: shop).json()["memberCount"] as? Int == 1)
    }
  }

  @Test(arguments: [".", "..", "%2E", "%2e.", "%2E%2E"])
  func `dots are no id of anything that a path names`(_ piece: String) async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let dots = piece.removingPercentEncoding ?? ""
      let member = #"{"members":["\#(UUID())"]}"#
      let schedule = #"{"to":{"group":"g"},"type":12,"recurrence":"FREQ=DAILY","time":"08:00"}"#
      for (method, path, body, field) in [
        (HTTPRequest.Method.put, "groups/\(piece)", member, "id"), (.post, "groups/\(piece)/members", member, "id"),
        (.put, "schedules/\(piece)", schedule, "key"), (.put, "groups/g", #"{"members":["\#(dots)"]}"#, "members[0]"),
        (.post, "notifications", #"{"to":{"users":["\#(dots)"]},"type":12}"#, "to.users[0]"),
      ] {
        let answer = try await gateway.call(method, "/api/v1/\(path)", as: shop, body: body)
        #expect(try answer.expectProblem("validation", .badRequest) == [field], "\(path)")
      }
      try await gateway.call(.put, "/api/v1/users/\(piece)", as: shop, body: "{}").expectProblem("not-found", .notFound)
    }
  }
}
