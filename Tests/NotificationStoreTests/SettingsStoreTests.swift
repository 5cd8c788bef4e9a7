import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

/// What users set for themselves.
struct SettingsStoreTests {
  private let user = Sample.user()

  /// What a gateway of before writes.
  private func putAsBefore(_ type: Int16, _ isOn: Bool, _ client: PostgresClient) async throws {
    _ = try await client.query(
      """
      INSERT INTO preferences (user_id, type, in_app, push, email)
      SELECT \(user), * FROM unnest(\([type]), \([isOn]), \([isOn]), \([isOn]))
      ON CONFLICT (user_id, type) DO UPDATE SET
        in_app = excluded.in_app, push = excluded.push, email = excluded.email, updated_at = now()
      """
    )
  }

  @Test func `who has set nothing has the defaults`() async throws {
    try await TestDatabase.with { client in
      let settings = try await SettingsStore(client: client).settings(of: user)
      #expect(settings == UserSettings())
    }
  }

  @Test func `everything comes back as it was set, and what is not named stays`() async throws {
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      let types = try Sample.types()
      var wanted = UserSettings()
      wanted.isEnabled = false
      wanted.pausedUntil = Date(timeIntervalSince1970: 1_900_000_000)
      wanted.quietHoursEnabled = true
      wanted.quietHoursStart = LocalTime("22:00:30")
      wanted.quietHoursEnd = LocalTime("06:00")
      wanted.timezone = "Europe/Berlin"
      wanted.isSoundEnabled = false
      wanted.isBadgeEnabled = false
      wanted.numbers = ["lowBalanceThreshold": try #require(Decimal(string: "1234567890.05")), "limit": -3]
      wanted.rows = PreferenceRows(
        types: [10: ChannelChoices(push: false), 11: ChannelChoices(inApp: false, push: true, email: true)],
        categories: ["Allowance": ChannelChoices(email: true), "Tasks": ChannelChoices(inApp: true, push: false)]
      )
      let stored = try await store.change(of: user, in: types, at: .now) { $0 = wanted }
      #expect(stored == wanted)
      #expect(try await store.settings(of: user) == wanted)
      let changed = try await store.change(of: user, in: types, at: .now) {
        $0.rows.types[10] = nil
        $0.rows.types[11] = ChannelChoices(email: false)
        $0.rows.categories["Tasks"] = nil
      }
      wanted.rows.types = [11: ChannelChoices(email: false)]
      wanted.rows.categories["Tasks"] = nil
      #expect(changed == wanted)
      #expect(try await store.settings(of: user) == wanted)
      #expect(try await store.settings(of: Sample.user()) == UserSettings())
    }
  }

  /// Releases of before keep one of the catalogue's settings there, and later ones whatever they like.
  @Test func `numbers stand beside what other versions keep, which stays to the last digit`() async throws {
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      _ = try await store.change(of: user, in: [], at: .now) { $0.isSoundEnabled = false }
      let digits = "0.12345678901234567890123456789012345678901234567890"
      let others = #"{"threshold":12.50,"pi":\#(digits),"theme":"dark","nested":{"limit":1}}"#
      _ = try await client.query(
        "UPDATE users SET settings = settings || \(others)::text::jsonb WHERE user_id = \(user)"
      )
      #expect(try await store.settings(of: user).numbers["threshold"] == Decimal(string: "12.5"))
      _ = try await store.change(of: user, in: [], at: .now) {
        $0.numbers["limit"] = Decimal(string: "99999999999999.0000000001")
      }
      func member(_ name: String) async throws -> String? {
        try await client.value("SELECT settings ->> \(name) FROM users WHERE user_id = \(user)", as: String?.self)
          ?? nil
      }
      #expect(try await member("limit") == "99999999999999.0000000001")
      #expect(try await member("pi") == digits)
      #expect(try await member("theme") == "dark")
      #expect(try await member("nested") == #"{"limit": 1}"#)
      _ = try await store.change(of: user, in: [], at: .now) { $0.numbers["threshold"] = nil }
      #expect(try await member("threshold") == nil)
      #expect(try await member("limit") == "99999999999999.0000000001")
      #expect(try await member("soundEnabled") == "false")
      let numbers = try await RuleStore(client: client).people([user])[user]?.numbers
      #expect(numbers?["limit"] == Decimal(string: "99999999999999.0000000001") && numbers?["threshold"] == nil)
    }
  }

  @Test func `settings and profile do not undo each other`() async throws {
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      let users = UserStore(client: client)
      _ = try await users.put(.sample(email: "ann@example.org"), of: user)
      _ = try await store.change(of: user, in: Sample.types(), at: .now) {
        ($0.isBadgeEnabled, $0.quietHoursStart) = (false, LocalTime("21:00"))
      }
      #expect(try await users.profile(of: user) == .sample(email: "ann@example.org"))
      _ = try await users.put(.sample(email: nil), of: user)
      let settings = try await store.settings(of: user)
      #expect(!settings.isBadgeEnabled && settings.quietHoursStart == LocalTime("21:00"))
      #expect(settings.timezone == "Europe/Berlin")
    }
  }

  @Test func `a row of before is a choice on every channel`() async throws {
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      try await putAsBefore(10, false, client)
      let key = try Sample.key(user)
      let all = ChannelChoices(inApp: false, push: false, email: false)
      #expect(try await store.settings(of: user).rows == PreferenceRows(types: [10: all]))
      #expect(try await RecipientStore(client: client).recipients(for: [key])[key]?.typeChoices == all)
    }
  }

  /// A rolling restart: gateways of both releases at once.
  @Test func `what a gateway of before writes over a row is a choice on every channel`() async throws {
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      _ = try await store.change(of: user, in: Sample.types(), at: .now) {
        $0.rows.types[10] = ChannelChoices(push: false)
      }
      try await putAsBefore(10, true, client)
      let all = ChannelChoices(inApp: true, push: true, email: true)
      #expect(try await store.settings(of: user).rows == PreferenceRows(types: [10: all]))
    }
  }

  /// A rolling restart: routers of before take rows as a whole.
  @Test func `a row says of channels that were not chosen what held when it was written`() async throws {
    try await TestDatabase.with { client in
      // The catalogue has push on for it, and mails off.
      _ = try await SettingsStore(client: client).change(of: user, in: Sample.types(), at: .now) {
        $0.rows.types[10] = ChannelChoices(inApp: false)
        $0.rows.categories["Allowance"] = ChannelChoices(email: true)
      }
      let rows = try await client.query("SELECT in_app, push, email, chosen FROM preferences WHERE user_id = \(user)")
      let row = try #require(rows.first)
      #expect(rows.count == 1)
      #expect(try [row.get(0), row.get(1), row.get(2)] == [false, true, true])
      #expect(try row.get(3, as: Int.self) == 1)
    }
  }

  /// The release before, beside this one: it deletes and inserts, and knows no masks.
  @Test func `what the release before writes in place of a row counts, and what it wrote is read as it was`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      _ = try await store.change(of: user, in: Sample.types(), at: .now) {
        $0.rows.types[10] = ChannelChoices(push: false)
        $0.rows.categories["Allowance"] = ChannelChoices(email: true)
      }
      for chosen in Int16(0)...7 {
        _ = try await client.query("DELETE FROM preferences WHERE user_id = \(user) AND type = 10")
        _ = try await client.query(
          """
          INSERT INTO preferences (user_id, type, in_app, push, email, chosen)
          VALUES (\(user), 10, true, false, true, \(chosen))
          """
        )
        let own = ChannelChoices(
          inApp: chosen & 1 == 0 ? nil : true,
          push: chosen & 2 == 0 ? nil : false,
          email: chosen & 4 == 0 ? nil : true
        )
        try await expect(own, ChannelChoices(email: true), client)
      }
      for category in [
        ChannelChoices(), ChannelChoices(inApp: false), ChannelChoices(push: true, email: false),
        ChannelChoices(inApp: true, push: false, email: true),
      ] {
        _ = try await client.query("DELETE FROM category_preferences WHERE user_id = \(user)")
        _ = try await client.query(
          """
          INSERT INTO category_preferences (user_id, category, in_app, push, email)
          VALUES (\(user), 'Allowance', \(category[.inApp]), \(category[.push]), \(category[.email]))
          """
        )
        try await expect(ChannelChoices(inApp: true, push: false, email: true), category, client)
      }
    }
  }

  @Test func `choices on any channels come back, up to the last code`() async throws {
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      var random = SystemRandomNumberGenerator()
      let samples =
        (0..<20).map { _ in (random.next() as UInt64, random.next() as UInt64) }
        + [(1 << 63, 1 << 63), (1 << 63, 0), (.max, .max), (1 << 4, 1 << 4), (1, 0)]
      for (chosen, on) in samples {
        let (own, others) = (ChannelChoices(chosen: chosen, on: on), ChannelChoices(chosen: chosen, on: ~on))
        _ = try await store.change(of: user, in: Sample.types(), at: .now) {
          $0.rows = PreferenceRows(types: [10: own], categories: ["Allowance": others])
        }
        try await expect(own, others, client)
        // For the release before.
        let type = try #require(try await client.query("SELECT chosen FROM preferences WHERE user_id = \(user)").first)
        #expect(try type.get(0, as: Int16.self) == Int16(truncatingIfNeeded: chosen >> 1 & 7))
        let rows = try await client.query(
          "SELECT in_app, push, email FROM category_preferences WHERE user_id = \(user)"
        )
        let category = try #require(rows.first)
        let columns = try [0, 1, 2].map { try category.get($0, as: Bool?.self) }
        #expect(columns == [others[.inApp], others[.push], others[.email]])
      }
    }
  }

  @Test
  func `what was chosen on a channel without a column is lost where a gateway that knows no masks updates the row`()
    async throws
  {
    try await TestDatabase.with { client in
      let sms = Channel(rawValue: 4)
      _ = try await SettingsStore(client: client).change(of: user, in: Sample.types(), at: .now) {
        var choices = ChannelChoices(push: true)
        choices[sms] = true
        $0.rows.types[10] = choices
      }
      try await putAsBefore(10, false, client)
      try await expect(ChannelChoices(inApp: false, push: false, email: false), ChannelChoices(), client)
    }
  }

  /// Of type 10 and its category, as users see it and as routers decide.
  private func expect(_ own: ChannelChoices, _ category: ChannelChoices, _ client: PostgresClient) async throws {
    let rows = try await SettingsStore(client: client).settings(of: user).rows
    #expect(rows.types[10] == own)
    #expect(rows.categories["Allowance"] ?? ChannelChoices() == category)
    let key = try Sample.key(user)
    let recipient = try #require(try await RecipientStore(client: client).recipients(for: [key])[key])
    #expect(recipient.typeChoices == own && recipient.categoryChoices == category)
  }

  @Test func `a change that throws leaves all as it was`() async throws {
    struct Refused: Error {}
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      await #expect(throws: Refused.self) {
        try await store.change(of: user, in: Sample.types(), at: .now) {
          $0.isEnabled = false
          throw Refused()
        }
      }
      let settings = try await store.settings(of: user)
      #expect(settings == UserSettings())
    }
  }

  @Test func `of many changes at once none is lost`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = SettingsStore(client: client)
      let users = UserStore(client: client)
      let types = try Sample.types()
      let codes = types.map(\.code).prefix(20)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for code in codes {
          group.addTask { [user] in
            _ = try await store.change(of: user, in: types, at: .now) {
              // Each builds on what the one before it left.
              $0.rows.types[code] = ChannelChoices(push: false)
              $0.numbers["limit", default: 0] += 1
            }
          }
          group.addTask { [user] in
            let profile = UserStore.Profile(
              email: "\(code)@example.org",
              displayName: nil,
              locale: nil,
              timezone: nil,
              isEnabled: nil
            )
            _ = try await users.put(profile, of: user)
          }
        }
        group.addTask { [user] in
          _ = try await store.change(of: user, in: types, at: .now) {
            ($0.isEnabled, $0.timezone) = (false, "Asia/Tokyo")
          }
        }
        try await group.waitForAll()
      }
      let settings = try await store.settings(of: user)
      #expect(settings.rows.types == Dictionary(uniqueKeysWithValues: codes.map { ($0, ChannelChoices(push: false)) }))
      #expect(settings.numbers == ["limit": 20])
      #expect(!settings.isEnabled && settings.timezone == "Asia/Tokyo")
    }
  }
}
