import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import TestSupport
import Testing
import WallClock

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

  @Test func `who has set nothing gets the settings of everybody, in the deployment's time zone`() async throws {
    try await TestGateway.with { gateway in
      let settings = try await gateway.call(.get, path, as: .user()).expect(.ok).json()
      for name in ["notificationsEnabled", "soundEnabled", "badgeEnabled"] { #expect(settings[name] as? Bool == true) }
      for name in ["pausedUntil", "timezone", "quietHoursStart"] { #expect(settings[name] is NSNull) }
      #expect(settings["effectiveTimezone"] as? String == "UTC")
    }
  }

  @Test func `a category's choice holds for its types, and a type's own comes before it`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      func item(_ answer: Answer) throws -> [String: Any] {
        try #require(try answer.list("categories").first { $0["category"] as? String == "Allowance" })
      }
      func category(_ answer: Answer) throws -> [Bool?] {
        let item = try item(answer)
        return ["inAppEnabled", "pushEnabled", "emailEnabled"].map { item[$0] as? Bool }
      }
      func mixed(_ answer: Answer) throws -> [String]? { try item(answer)["mixed"] as? [String] }
      let before = try await gateway.call(.get, path, as: ann).expect(.ok)
      #expect(try category(before) == [true, true, false])
      let off = #"{"categories":[{"category":"Allowance","pushEnabled":false}]}"#
      let answer = try await gateway.call(.put, path, as: ann, body: off).expect(.ok)
      #expect(try category(answer) == [true, false, false])
      #expect(try choice(10, answer) == [true, false, false])
      #expect(try choice(11, answer) == [true, false, false])
      #expect(try choice(1, answer) == [true, true, false])
      let own = #"{"notificationType":10,"inAppEnabled":true,"pushEnabled":true,"emailEnabled":false}"#
      let second = try await gateway.call(.put, path, as: ann, body: #"{"preferences":[\#(own)]}"#).expect(.ok)
      #expect(try choice(10, second) == [true, true, false])
      #expect(try choice(11, second) == [true, false, false])
      // On where any of its types is, and where they differ that is told.
      #expect(try category(second) == [true, true, false])
      #expect(try mixed(answer) == nil)
      #expect(try mixed(second) == ["push"])
      // Putting back all that is shown chooses nothing.
      let stored = try await SettingsStore(client: gateway.database).settings(of: ann.id)
      #expect(try await gateway.call(.put, path, as: ann, body: second.text).expect(.ok).text == second.text)
      let kept = try await SettingsStore(client: gateway.database).settings(of: ann.id)
      #expect(kept == stored)
      #expect(stored.rows.types == [10: ChannelChoices(push: true)])
      #expect(stored.rows.categories == ["Allowance": ChannelChoices(push: false)])
    }
  }

  @Test func `each setting can be put by itself, and null ends a pause and a time zone`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let pause = Date(rfc3339: (Date.now + 3_600).rfc3339)
      for (body, name, expected) in [
        (#"{"notificationsEnabled":false}"#, "notificationsEnabled", "false"),
        (#"{"soundEnabled":false}"#, "soundEnabled", "false"), (#"{"badgeEnabled":false}"#, "badgeEnabled", "false"),
        (#"{"timezone":"Asia/Tokyo"}"#, "timezone", #""Asia/Tokyo""#),
        (#"{"pausedUntil":"\#(try #require(pause).rfc3339)"}"#, "pausedUntil", "\"\(try #require(pause).rfc3339)\""),
      ] {
        let answer = try await gateway.call(.put, path, as: ann, body: body).expect(.ok)
        #expect(answer.text.contains("\"\(name)\":\(expected)"), "\(answer.text.suffix(400))")
      }
      let all = try await gateway.call(.get, path, as: ann).expect(.ok).json()
      #expect(all["effectiveTimezone"] as? String == "Asia/Tokyo")
      for name in ["notificationsEnabled", "soundEnabled", "badgeEnabled"] { #expect(all[name] as? Bool == false) }
      let body = #"{"pausedUntil":null,"timezone":null}"#
      let ended = try await gateway.call(.put, path, as: ann, body: body).expect(.ok).json()
      #expect(ended["pausedUntil"] is NSNull && ended["timezone"] is NSNull)
      #expect(ended["soundEnabled"] as? Bool == false)
      let past = try await gateway.call(.put, path, as: ann, body: #"{"pausedUntil":"2020-01-01T00:00:00Z"}"#)
      #expect(try past.expect(.ok).json()["pausedUntil"] is NSNull)
    }
  }

  @Test(arguments: [
    (#"{"pausedUntil":"tomorrow"}"#, ["pausedUntil"]), (#"{"pausedUntil":"2999-01-01T00:00:00Z"}"#, ["pausedUntil"]),
    (#"{"timezone":"Mars/Olympus","soundEnabled":"yes"}"#, ["soundEnabled", "timezone"]),
    (#"{"timezone":"GMT+3"}"#, ["timezone"]), (#"{"categories":[{"pushEnabled":1}]}"#, ["category", "pushEnabled"]),
    (#"{"categories":[{"category":"Gossip","pushEnabled":true}]}"#, ["categories"]),
  ])
  func `settings that cannot be read change nothing`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, path, as: .user(), body: body)
      let named = try answer.expectProblem("validation", .badRequest)
      #expect(named.map { $0.replacingOccurrences(of: "categories[0].", with: "") } == fields)
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
