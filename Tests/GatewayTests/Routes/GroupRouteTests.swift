import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// `/api/v1/groups/{id}`, and its members.
@Suite struct GroupRouteTests {
  private let ann = UserID(UUID())

  private func list(_ members: [UserID]) -> String {
    #"{"members":[\#(members.map { "\"\($0)\"" }.joined(separator: ","))]}"#
  }

  @Test func `a group's members are replaced, and its id may need escapes in the path`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let groups = GroupStore(client: gateway.database)
      for (path, group) in [("family:demo", "family:demo"), ("caf%C3%A9%2F1", "café/1"), ("100%25", "100%")] {
        let answer = try await gateway.call(
          .put,
          "/api/v1/groups/\(path)",
          as: shop,
          body: "{\"members\":[\"\(ann)\",\"\(ann.description.uppercased())\"]}"
        )
        #expect(try answer.expect(.ok).json()["id"] as? String == group)
        #expect(try answer.json()["memberCount"] as? Int == 1)
        #expect(try await groups.members(of: group, limit: 9) == [ann])
      }
      _ = try await gateway.call(.put, "/api/v1/groups/family:demo", as: shop, body: #"{"members":[]}"#).expect(.ok)
      #expect(try await groups.members(of: "family:demo", limit: 9).isEmpty)
    }
  }

  @Test(arguments: [
    ("{}", ["members"]), (#"{"members":["",1]}"#, ["members"]),
    (#"{"members":["","a\nb"]}"#, ["members[0]", "members[1]"]),
  ])
  func `members that cannot be read change nothing`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, "/api/v1/groups/g", as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test(arguments: [String(repeating: "g", count: 129), "e" + String(repeating: "%CC%81", count: 300), "a%07b"])
  func `a group's id that is too long or has control characters is refused by name`(_ id: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, "/api/v1/groups/\(id)", as: .service(), body: #"{"members":[]}"#)
      #expect(try answer.expectProblem("validation", .badRequest) == ["id"])
    }
  }

  @Test func `a group is read in pages, and goes whole`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let users = (0..<25).map { _ in UserID(UUID()) }
      let path = "/api/v1/groups/team:1"
      for method in [HTTPRequest.Method.get, .delete] {
        try await gateway.call(method, path, as: shop).expectProblem("not-found", .notFound)
      }
      _ = try await gateway.call(.put, path, as: shop, body: list(users)).expect(.ok)
      var found: [String] = []
      var hasMore = true
      while hasMore {
        let after = found.last.map { "&after=\($0)" } ?? ""
        let page = try await gateway.call(.get, "\(path)?pageSize=10\(after)", as: shop).expect(.ok).json()
        #expect(page["id"] as? String == "team:1" && page["memberCount"] as? Int == 25)
        let members = try #require(page["members"] as? [String])
        try #require(members.count == 10 || found.count == 20)
        found += members
        hasMore = try #require(page["hasMore"] as? Bool)
      }
      #expect(found == users.sorted().map(\.description))
      #expect(try await gateway.call(.get, path, as: shop).expect(.ok).json()["hasMore"] as? Bool == false)
      let gone = try await gateway.call(.delete, path, as: shop).expect(.noContent)
      #expect(gone.body.isEmpty)
      try await gateway.call(.get, path, as: shop).expectProblem("not-found", .notFound)
    }
  }

  @Test(arguments: [
    ("pageSize=0", ["pageSize"]), ("pageSize=1001", ["pageSize"]), ("after=%01&pageSize=y", ["pageSize", "after"]),
  ])
  func `a page that there cannot be is refused by name`(_ query: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/api/v1/groups/g?\(query)", as: .service())
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `members come and go, many or one at a time, however often that is said`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let users = (0..<3).map { _ in UserID(UUID()) }
      let path = "/api/v1/groups/caf%C3%A9%2F1"
      let groups = GroupStore(client: gateway.database)
      for count in [2, 2] {
        let answer = try await gateway.call(.post, "\(path)/members", as: shop, body: list(Array(users.prefix(2))))
        #expect(try answer.expect(.ok).text == #"{"id":"café/1","memberCount":\#(count)}"#)
      }
      for _ in 0..<2 {
        _ = try await gateway.call(.put, "\(path)/members/\(users[2])", as: shop).expect(.noContent)
        #expect(try await groups.members(of: "café/1", limit: 9) == users.sorted())
      }
      for _ in 0..<2 {
        _ = try await gateway.call(.delete, "\(path)/members/\(users[0])", as: shop).expect(.noContent)
        #expect(try await groups.members(of: "café/1", limit: 9) == users.dropFirst().sorted())
      }
      for method in [HTTPRequest.Method.put, .delete] {
        try await gateway.call(method, "\(path)/members/a%0Ab", as: shop).expectProblem("not-found", .notFound)
      }
    }
  }

  @Test(arguments: [HTTPRequest.Method.put, .post])
  func `too many members in one body are refused, and nobody is added`(_ method: HTTPRequest.Method) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let body = #"{"members":[\#(Array(repeating: "\"\(ann)\"", count: 200_001).joined(separator: ","))]}"#
      let path = "/api/v1/groups/g" + (method == .post ? "/members" : "")
      let answer = try await gateway.call(method, path, as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["members"])
    }
  }

  @Test func `a full group takes nobody else`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      _ = try await gateway.call(.post, "/api/v1/groups/g/members", as: shop, body: list([ann])).expect(.ok)
      // As though there were so many.
      _ = try await gateway.database.query("UPDATE groups SET members = \(GroupStore.maximumMembers)")
      let other = UserID(UUID())
      try await gateway.call(.put, "/api/v1/groups/g/members/\(other)", as: shop)
        .expectProblem("limit-reached", .conflict)
      try await gateway.call(.post, "/api/v1/groups/g/members", as: shop, body: list([other]))
        .expectProblem("limit-reached", .conflict)
      _ = try await gateway.call(.put, "/api/v1/groups/g/members/\(ann)", as: shop).expect(.noContent)
      #expect(try await GroupStore(client: gateway.database).members(of: "g", limit: 9) == [ann])
    }
  }
}
