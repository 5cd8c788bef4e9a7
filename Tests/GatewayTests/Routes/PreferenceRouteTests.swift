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

  @Test func `a type is put by its name, and one switch without the others`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      func put(_ items: String) async throws -> Answer {
        try await gateway.call(.put, path, as: ann, body: "{\"preferences\":[\(items)]}").expect(.ok)
      }
      let off = try await put(#"{"notificationType":"AllowanceDeposit","pushEnabled":false}"#)
      #expect(try choice(10, off) == [true, false, false])
      #expect(try choice(11, off) == [true, true, false])
      // In any case, as a text of digits, with a null for what stays; the same type twice says both.
      let both = try await put(
        #"{"notificationType":"allowancedeposit","emailEnabled":true},{"notificationType":"10","inAppEnabled":false},"#
          + #"{"notificationType":11,"emailEnabled":true,"pushEnabled":null},{"notificationType":10,"emailEnabled":true}"#
      )
      #expect(try choice(10, both) == [false, false, true])
      #expect(try choice(11, both) == [true, true, true])
      let stored = try await SettingsStore(client: gateway.database).settings(of: ann.id)
      #expect(stored.rows.types[10] == ChannelChoices(inApp: false, push: false, email: true))
      #expect(stored.rows.types[11] == ChannelChoices(email: true))
    }
  }

  @Test func `categories say on which channels their types differ, and one switch of theirs leaves the others`()
    async throws
  {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let body = #"{"preferences":[{"notificationType":"AllowanceDeposit","emailEnabled":true}]}"#
      let mixed = try await gateway.call(.put, path, as: ann, body: body).expect(.ok)
      func allowance(_ answer: Answer) throws -> [String: Any] {
        try #require(try answer.list("categories").first { $0["category"] as? String == "Allowance" })
      }
      #expect(try allowance(mixed)["mixed"] as? [String] == ["email"])
      let quiet = #"{"categories":[{"category":"Allowance","pushEnabled":false}]}"#
      let second = try await gateway.call(.put, path, as: ann, body: quiet).expect(.ok)
      #expect(try allowance(second)["mixed"] as? [String] == ["email"])
      #expect(try choice(10, second) == [true, false, true])
      #expect(try choice(11, second) == [true, false, false])
    }
  }

  @Test func `beside all three switches an app sends what it likes, as ever`() async throws {
    try await TestGateway.with { gateway in
      let item = #"{"notificationType":10,"inAppEnabled":true,"pushEnabled":false,"emailEnabled":false,"label":"Pay"}"#
      let answer = try await gateway.call(.put, path, as: .user(), body: "{\"preferences\":[\(item)]}").expect(.ok)
      #expect(try choice(10, answer) == [true, false, false])
    }
  }

  @Test func `what a large catalogue answers can be put back`() async throws {
    let types = (1...3_000).map { "- { code: \($0), name: Type\($0), category: Things }" }.joined(separator: "\n")
    let catalogue = try Catalogue(
      overrides: OwnCatalogue.head + """
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
        types:
        \(types)
        """
    )
    try await TestGateway.with(catalogue: catalogue) { gateway in
      let ann = try await Caller.user()
      let shown = try await gateway.call(.get, path, as: ann).expect(.ok).text
      #expect(shown.utf8.count > 256 * 1_024)
      #expect(try await gateway.call(.put, path, as: ann, body: shown).expect(.ok).text == shown)
    }
  }

  @Test func `a name that is nearly right gets the right one, and a long list of them no more than ten`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      func messages(_ body: String) async throws -> [String] {
        let answer = try await gateway.call(.put, path, as: .user(), body: body)
        _ = try answer.expectProblem("validation", .badRequest)
        return try answer.list("errors").compactMap { $0["message"] as? String }
      }
      let body =
        #"{"preferences":[{"notificationType":"AlowanceDeposit","pushEnabled":true}],"#
        + #""categories":[{"category":"allowance","pushEnabled":true},{"category":"Gossip","pushEnabled":true}],"settings":{"lowBalanceTreshold":1}}"#
      #expect(
        try await messages(body) == [
          "'AlowanceDeposit' is not in the catalogue; did you mean AllowanceDeposit?",
          "'allowance' is not a category of the catalogue; did you mean Allowance?",
          "'Gossip' is not a category of the catalogue",
          "is not a setting of the catalogue; did you mean lowBalanceThreshold?",
        ]
      )
      let items = (0..<200).map { _ in #"{"notificationType":"AlowanceDeposit","pushEnabled":true}"# }
      let many = try await messages("{\"preferences\":[\(items.joined(separator: ","))]}")
      #expect(many.count == 100)
      #expect(many.count { $0.contains("did you mean") } == 10)
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
      // On where any of its types is, and where they differ that is said.
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

  @Test func `a setting is put with all its digits, shown by the coarse form, and put back by null`() async throws {
    try await TestGateway.with { gateway in
      let (ann, coarse) = (try await Caller.user(), "/api/v1/notification-preferences")
      func shown(_ answer: Answer, _ number: String) -> Bool {
        answer.text.contains(#""settings":{"lowBalanceThreshold":\#(number)}"#)
      }
      func put(_ body: String) async throws -> Answer {
        try await gateway.call(.put, path, as: ann, body: body).expect(.ok)
      }
      let first = try await gateway.call(.get, path, as: ann).expect(.ok)
      #expect(shown(first, "10"))
      // What is shown is no choice.
      #expect(try await put(first.text).text == first.text)
      let store = SettingsStore(client: gateway.database)
      #expect(try await store.settings(of: ann.id).numbers == [:])
      let changed = try await put(#"{"settings":{"lowBalanceThreshold":1234567890.05}}"#)
      #expect(shown(changed, "1234567890.05"))
      #expect(changed.headers[.eTag] != first.headers[.eTag])
      #expect(shown(try await put(#"{"soundEnabled":false,"settings":{}}"#), "1234567890.05"))
      let form = try await gateway.call(.get, coarse, as: ann).expect(.ok)
      #expect(form.text.hasSuffix(#""lowBalanceThreshold":1234567890.05}"#))
      let body = form.text.replacing("1234567890.05", with: "12.5")
      _ = try await gateway.call(.put, coarse, as: ann, body: body).expect(.ok)
      #expect(shown(try await gateway.call(.get, path, as: ann), "12.5"))
      #expect(shown(try await put(#"{"settings":{"lowBalanceThreshold":null}}"#), "10"))
      #expect(try await gateway.call(.get, coarse, as: ann).text.hasSuffix(#""lowBalanceThreshold":10}"#))
      #expect(try await store.settings(of: ann.id).numbers == [:])
    }
  }

  @Test func `a setting that is out of its bounds is refused with these`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, path, as: .user(), body: #"{"settings":{"lowBalanceThreshold":-1}}"#)
      #expect(answer.text.contains("expected a number from 0 to 1000000000000"))
    }
  }

  @Test(arguments: [
    (#"{"pausedUntil":"tomorrow"}"#, ["pausedUntil"]), (#"{"pausedUntil":"2999-01-01T00:00:00Z"}"#, ["pausedUntil"]),
    (#"{"timezone":"Mars/Olympus","soundEnabled":"yes"}"#, ["soundEnabled", "timezone"]),
    (#"{"timezone":"GMT+3"}"#, ["timezone"]), (#"{"categories":[{"pushEnabled":1}]}"#, ["category", "pushEnabled"]),
    (#"{"categories":[{"category":"Gossip","pushEnabled":true}]}"#, ["category"]),
    (
      #"{"categories":[{"category":"Tasks","pushEnabled":true},{"category":"Tasks","pushEnabled":false}]}"#,
      ["categories[1]"]
    ),
    (#"{"categories":[{"category":"Tasks"}]}"#, ["categories[0]"]),
    (#"{"categories":[{"category":"Tasks","pushEnabled":true,"emailEnabld":false}]}"#, ["emailEnabld"]),
    (#"{"settings":[]}"#, ["settings"]),
    (#"{"settings":{"gossip":1,"LowBalanceThreshold":2}}"#, ["settings.gossip", "settings.LowBalanceThreshold"]),
    (#"{"settings":{"lowBalanceThreshold":-0.01}}"#, ["settings.lowBalanceThreshold"]),
    (#"{"settings":{"lowBalanceThreshold":1000000000000.1}}"#, ["settings.lowBalanceThreshold"]),
    (#"{"settings":{"lowBalanceThreshold":"10"}}"#, ["settings.lowBalanceThreshold"]),
    (#"{"settings":{"lowBalanceThreshold":1e999},"soundEnabled":true}"#, ["settings.lowBalanceThreshold"]),
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
      ["preferences[0].inAppEnabled"]
    ),
    (#"{"preferences":[{"pushEnabled":true}]}"#, ["preferences[0].notificationType"]),
    (
      #"{"preferences":[{"notificationType":10,"inAppEnabled":true,"pushEnabld":false}]}"#,
      ["preferences[0].pushEnabld"]
    ),
    (#"{"preferences":[{"notificationType":10.5,"pushEnabled":true}]}"#, ["preferences[0].notificationType"]),
    (
      #"{"preferences":[{"notificationType":10,"pushEnabled":null,"typeName":"AllowanceDeposit"}]}"#, ["preferences[0]"]
    ),
    (
      #"{"preferences":[{"notificationType":10,"pushEnabled":true},{"notificationType":9999,"inAppEnabled":true}]}"#,
      ["preferences[1].notificationType"]
    ),
    (
      #"{"preferences":[{"notificationType":10,"pushEnabled":true},{"notificationType":11,"pushEnabled":true},"#
        + #"{"notificationType":"allowancedeposit","pushEnabled":false}]}"#, ["preferences[2]"]
    ),
  ])
  func `choices that cannot be read change nothing`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }
}
