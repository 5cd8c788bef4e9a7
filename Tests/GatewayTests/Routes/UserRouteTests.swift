import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// `/api/v1/users/{id}`.
@Suite struct UserRouteTests {
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
      try await gateway.call(.put, "/api/v1/users/a%0Ab", as: .service(), body: "{}").expectProblem(
        "not-found",
        .notFound
      )
    }
  }

  @Test func `a profile is read as it was put, also what the user chose, and one that is not there is not found`()
    async throws
  {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let path = "/api/v1/users/\(ann)"
      for method in [HTTPRequest.Method.get, .patch] {
        try await gateway.call(method, path, as: shop, body: method == .get ? nil : #"{"locale":"de"}"#)
          .expectProblem("not-found", .notFound)
      }
      let put = try await gateway.call(.put, path, as: shop, body: #"{"displayName":"Ann"}"#).expect(.created)
      let read = try await gateway.call(.get, path, as: shop).expect(.ok)
      #expect(read.text == put.text && read.headers[.eTag] == put.headers[.eTag] && read.headers[.eTag] != nil)
      let user = try await Caller.user(ann)
      _ = try await gateway.call(
        .put,
        "/api/v1/notifications/preferences",
        as: user,
        body: #"{"notificationsEnabled":false,"timezone":"Asia/Tokyo"}"#
      ).expect(.ok)
      let chosen = try await gateway.call(.get, path, as: shop).expect(.ok)
      #expect(try chosen.json()["notificationsEnabled"] as? Bool == false)
      #expect(try chosen.json()["timezone"] as? String == "Asia/Tokyo")
      #expect(chosen.headers[.eTag] != read.headers[.eTag])
    }
  }

  @Test func `what is named of a profile is changed, null clears, and all else stays`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let path = "/api/v1/users/\(ann)"
      let full = #"{"email":"ann@example.org","displayName":"Ann","locale":"de","timezone":"Europe/Berlin"}"#
      _ = try await gateway.call(.put, path, as: shop, body: full).expect(.created)
      for (body, expected) in [
        (
          #"{"displayName":"Ann B."}"#,
          #""ann@example.org","displayName":"Ann B.","locale":"de","timezone":"Europe/Berlin","notificationsEnabled":true}"#
        ),
        (
          #"{"locale":null,"timezone":null}"#,
          #""ann@example.org","displayName":"Ann B.","locale":null,"timezone":null,"notificationsEnabled":true}"#
        ),
        (
          #"{"email":null,"notificationsEnabled":false}"#,
          #"null,"displayName":"Ann B.","locale":null,"timezone":null,"notificationsEnabled":false}"#
        ),
        (#"{"other":1}"#, #"null,"displayName":"Ann B.","locale":null,"timezone":null,"notificationsEnabled":false}"#),
      ] {
        let answer = try await gateway.call(.patch, path, as: shop, body: body).expect(.ok)
        #expect(answer.text == #"{"id":"\#(ann)","email":"# + expected)
        #expect(try await gateway.call(.get, path, as: shop).expect(.ok).text == answer.text)
      }
    }
  }

  @Test(arguments: [
    ("{}", [""]), ("[]", [""]), (#"{"email":"ann","timezone":"PST"}"#, ["email", "timezone"]),
    (#"{"notificationsEnabled":null}"#, ["notificationsEnabled"]),
    (#"{"notificationsEnabled":1,"locale":7}"#, ["locale", "notificationsEnabled"]),
  ])
  func `a change that cannot be read is refused with every field's name`(
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.patch, "/api/v1/users/\(ann)", as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test(arguments: [HTTPRequest.Method.put, .patch])
  func `who knows an old version of a profile changes nothing`(_ method: HTTPRequest.Method) async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let path = "/api/v1/users/\(ann)"
      func put(_ body: String, _ headers: HTTPFields = [:], by method: HTTPRequest.Method = .put) async throws -> Answer
      {
        try await gateway.call(method, path, as: shop, headers: headers, body: body)
      }
      try await put("{}", [.ifMatch: "*"]).expectProblem("precondition-failed", .preconditionFailed)
      let first = try await put(#"{"locale":"de"}"#, [.ifNoneMatch: "*"]).expect(.created)
      try await put("{}", [.ifNoneMatch: "*"]).expectProblem("precondition-failed", .preconditionFailed)
      let tag = try #require(first.headers[.eTag])
      let known = try await gateway.call(.get, path, as: shop, headers: [.ifNoneMatch: tag]).expect(.notModified)
      #expect(known.body.isEmpty && known.headers[.eTag] == tag)
      // Somebody else comes between the reading and the writing.
      let between = try await put(#"{"locale":"en"}"#).expect(.ok)
      try await put(#"{"locale":"fr"}"#, [.ifMatch: tag], by: method)
        .expectProblem("precondition-failed", .preconditionFailed)
      #expect(try await gateway.call(.get, path, as: shop).expect(.ok).text == between.text)
      let new = try #require(between.headers[.eTag])
      let last = try await put(#"{"locale":"fr"}"#, [.ifMatch: new], by: method).expect(.ok)
      #expect(last.headers[.eTag] != new)
      #expect(try last.json()["locale"] as? String == "fr")
    }
  }
}
