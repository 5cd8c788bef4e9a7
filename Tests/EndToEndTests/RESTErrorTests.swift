import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  /// Every refusal is a problem document that says what to do.
  @Suite(.serialized) struct RESTErrorTests {
    @Test(arguments: [
      ("no JSON", "{", ""),
      ("an array", "[]", ""),
      ("an unknown field", #"{"to":{"users":["USER"]},"type":12,"tpye":1}"#, "tpye"),
      ("an unknown field inside", #"{"to":{"users":["USER"],"exept":[]},"type":12}"#, "to.exept"),
      ("a wrong type", #"{"to":{"users":"all"},"type":12}"#, "to.users"),
      ("no user id", #"{"to":{"users":["USER",""]},"type":12}"#, "to.users[1]"),
      ("no audience", #"{"type":12}"#, "to"),
      ("two audiences", #"{"to":{"users":["USER"],"group":"g"},"type":12}"#, "to.group"),
      ("an unknown notification type", #"{"to":{"users":["USER"]},"type":1234}"#, "type"),
      ("a missing variable", #"{"to":{"users":["USER"]},"type":10,"data":{"amount":"1"}}"#, "data.balance"),
      ("a reserved name", #"{"to":{"users":["USER"]},"type":12,"data":{"google.x":"1"}}"#, "data.google.x"),
      ("a nested value", #"{"to":{"users":["USER"]},"type":12,"data":{"a":{}}}"#, "data.a"),
      ("a wrong channel", #"{"to":{"users":["USER"]},"type":12,"channels":["sms"]}"#, "channels[0]"),
      ("a wrong time", #"{"to":{"users":["USER"]},"type":12,"expiresAt":"soon"}"#, "expiresAt"),
      ("a topic beside people", #"{"to":{"topic":"news","users":["USER"]},"type":12}"#, "to.users"),
    ])
    func `a send with a mistake is refused and the field is named`(what: String, body: String, field: String)
      async throws
    {
      try await TestStack.with { belfry in
        let answer = try await belfry.send(body.replacing("USER", with: UUID().uuidString))
        #expect(answer.status == 400, "\(what): \(answer.text)")
        #expect(answer.response.headers.first("content-type") == "application/problem+json")
        #expect(answer.json["type"] as? String == "urn:belfry:problem:validation")
        #expect(answer.problemFields.contains(field), "\(what): \(answer.text)")
      }
    }

    @Test func `tokens that are missing, malformed, foreign or expired are refused with the reason`() async throws {
      try await TestStack.with { belfry in
        let path = "/api/v1/notifications/unread-count"
        let none = try await belfry.call("GET", path).expect(401)
        #expect(none.response.headers.first("www-authenticate") == "Bearer")
        #expect(none.json["type"] as? String == "urn:belfry:problem:unauthorized")
        _ = try await belfry.call("GET", path, token: "x.y.z").expect(401)
        let user = UserID(UUID())
        let foreign = try await belfry.token(user, secret: String(repeating: "s", count: 40))
        _ = try await belfry.call("GET", path, token: foreign).expect(401)
        let expired = try await belfry.token(user, lifetime: .seconds(-3_600))
        let answer = try await belfry.call("GET", path, token: expired).expect(401)
        #expect(answer.text.contains("expired"))
        #expect(!answer.text.contains(expired))
        let sent = try await belfry.call(
          "POST",
          "/api/v1/notifications",
          token: try await belfry.token(user),
          body: "{}"
        )
        #expect(sent.status == 403)
      }
    }

    @Test func `another user's notification does not exist`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let bob = try await belfry.makeUser()
        _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":12}"#).expect(202)
        try await eventually("it is in the inbox") {
          try await belfry.call("GET", "/api/v1/notifications", token: ann.token).list("notifications").count == 1
        }
        let list = try await belfry.call("GET", "/api/v1/notifications", token: ann.token).list("notifications")
        let id = try #require(list.first?["id"] as? String)
        _ = try await belfry.call("GET", "/api/v1/notifications/\(id)", token: ann.token).expect(200)
        _ = try await belfry.call("GET", "/api/v1/notifications/\(id)", token: bob.token).expect(404)
        _ = try await belfry.call("PATCH", "/api/v1/notifications/\(id)/read", token: bob.token).expect(404)
        let count = try await belfry.call("GET", "/api/v1/notifications/unread-count", token: ann.token)
        #expect(count.json["count"] as? Int == 1)
      }
    }

    @Test func `oversized bodies, unknown paths and wrong parameters are refused`() async throws {
      try await TestStack.with { belfry in
        let large = try await belfry.send(String(repeating: " ", count: 300 * 1_024)).expect(413)
        #expect(large.json["type"] as? String == "urn:belfry:problem:too-large")
        let unknown = try await belfry.call("GET", "/api/v1/nothing").expect(404)
        #expect(unknown.json["type"] as? String == "urn:belfry:problem:not-found")
        let token = try await belfry.token(UserID(UUID()))
        let query = try await belfry.call(
          "GET",
          "/api/v1/notifications?page=0&pageSize=51&unreadOnly=maybe&type=nope&before=x",
          token: token
        ).expect(400)
        #expect(Set(query.problemFields) == ["page", "pageSize", "unreadOnly", "type", "before"])
        let device = try await belfry.call("POST", "/api/v1/devices", token: token, body: #"{"platform":9}"#).expect(
          400
        )
        #expect(Set(device.problemFields) == ["token", "platform"])
        let service = try await belfry.serviceToken()
        let user = try await belfry.call(
          "PUT",
          "/api/v1/users/\(UUID())",
          token: service,
          body: #"{"email":"a\r\n@b","timezone":"Mars/Base"}"#
        ).expect(400)
        #expect(Set(user.problemFields) == ["email", "timezone"])
      }
    }
  }
}
