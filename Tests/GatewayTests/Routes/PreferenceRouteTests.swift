import Foundation
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import Gateway

/// `GET` and `PUT /api/v1/notifications/preferences`
@Suite struct PreferenceRouteTests {
  private let path = "/api/v1/notifications/preferences"

  private func choice(_ type: Int, _ answer: Answer) throws -> [Bool?] {
    let item = try #require(try answer.list("preferences").first { $0["notificationType"] as? Int == type })
    return ["inAppEnabled", "pushEnabled", "emailEnabled"].map { item[$0] as? Bool }
  }

  @Test func `who has chosen nothing gets every type with its defaults`() async throws {
    try await TestGateway.with { gateway in
      let answer = try await gateway.call(.get, path, as: .user()).expect(.ok)
      let types = try TestGateway.catalogue.get().types
      #expect(try answer.list("preferences").map { $0["notificationType"] as? Int } == types.map(\.code))
      #expect(try answer.list("preferences").map { $0["typeName"] as? String } == types.map(\.name))
      #expect(try answer.list("preferences").map { $0["category"] as? String } == types.map(\.category))
      #expect(try choice(10, answer) == [true, true, false])
      #expect(try answer.json()["quietHoursEnabled"] as? Bool == false)
      #expect(try answer.json()["quietHoursStart"] is NSNull)
    }
  }

  @Test func `choices replace those of the types they name, and nobody else's`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      func put(_ type: Int, email: Bool) async throws -> Answer {
        let item = #"{"notificationType":\#(type),"inAppEnabled":false,"pushEnabled":false,"emailEnabled":\#(email)}"#
        return try await gateway.call(.put, path, as: ann, body: "{\"preferences\":[\(item)]}").expect(.ok)
      }
      #expect(try choice(10, try await put(10, email: true)) == [false, false, true])
      let both = try await put(11, email: false)
      #expect(try choice(10, both) == [false, false, true])
      #expect(try choice(11, both) == [false, false, false])
      #expect(try await gateway.call(.get, path, as: ann).expect(.ok).text == both.text)
      #expect(try choice(10, try await gateway.call(.get, path, as: .user())) == [true, true, false])
    }
  }

  @Test(arguments: [
    ("{}", ["preferences"]), (#"{"preferences":null}"#, ["preferences"]), (#"{"preferences":{}}"#, ["preferences"]),
    (#"{"preferences":[7]}"#, ["preferences[0]"]),
    (
      #"{"preferences":[{"notificationType":"ten","inAppEnabled":1}]}"#,
      ["notificationType", "inAppEnabled", "pushEnabled", "emailEnabled"].map { "preferences[0].\($0)" }
    ),
    (
      #"{"preferences":[{"notificationType":9999,"inAppEnabled":true,"pushEnabled":true,"emailEnabled":true}]}"#,
      ["preferences"]
    ),
  ])
  func `choices that cannot be read change nothing`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }
}
