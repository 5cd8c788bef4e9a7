import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// `PUT` of users and groups.
@Suite struct DirectoryRouteTests {
  private let ann = UserID(UUID())

  @Test func `a profile is created, then replaced, and what is left out is cleared unless it is the user's to choose`()
    async throws
  {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let path = "/api/v1/users/\(ann)"
      let full = #"{"email":"ann@example.org","displayName":"Ann","locale":"de","timezone":"Europe/Berlin"}"#
      let first = try await gateway.call(.put, path, as: shop, body: full).expect(.created)
      #expect(
        first.text == #"{"id":"\#(ann)","email":"ann@example.org","displayName":"Ann","locale":"de","#
          + #""timezone":"Europe/Berlin","notificationsEnabled":true}"#
      )
      _ = try await gateway.call(.put, path, as: shop, body: #"{"notificationsEnabled":false}"#).expect(.ok)
      let last = try await gateway.call(.put, path, as: shop, body: "{}").expect(.ok)
      #expect(
        last.text == #"{"id":"\#(ann)","email":null,"displayName":null,"locale":null,"#
          + #""timezone":"Europe/Berlin","notificationsEnabled":false}"#
      )
      let stored = try await UserStore(client: gateway.database).profile(of: ann)
      #expect(stored == .init(email: nil, displayName: nil, locale: nil, timezone: "Europe/Berlin", isEnabled: false))
    }
  }

  @Test(arguments: [
    (#"{"email":"ann"}"#, ["email"]), (#"{"timezone":"Mars/Olympus"}"#, ["timezone"]),
    (#"{"timezone":"PST"}"#, ["timezone"]),
    (
      #"{"displayName":"a\u0007","locale":1,"notificationsEnabled":"yes"}"#,
      ["displayName", "locale", "notificationsEnabled"]
    ),
    ("x", [""]),
  ])
  func `a profile that cannot be read is refused with every field's name`(
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, "/api/v1/users/\(ann)", as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `a user whose id is none does not exist`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(.put, "/api/v1/users/ann", as: .service(), body: "{}").expectProblem(
        "not-found",
        .notFound
      )
    }
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
    ("{}", ["members"]), (#"{"members":["x",1]}"#, ["members"]),
    (#"{"members":["x","y"]}"#, ["members[0]", "members[1]"]),
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
}
