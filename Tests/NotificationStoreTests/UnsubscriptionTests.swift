import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What people do by the links in mails.
struct UnsubscriptionTests {
  private let user = Sample.user()
  private let noon = Date(timeIntervalSince1970: 20_000 * 86_400 + 43_200)
  private var link: UnsubscribeLink {
    UnsubscribeLink(user: user, category: "Allowance", issuedAt: noon - 60, expiry: noon + 86_400)
  }

  private func change(_ client: PostgresClient, _ change: (inout UserSettings) throws -> Void) async throws {
    _ = try await SettingsStore(client: client).change(of: user, in: Sample.types(), at: noon, change)
  }

  private func unsubscribe(_ client: PostgresClient) async throws -> UnsubscriptionStore.Standing {
    try await UnsubscriptionStore(client: client)
      .unsubscribe(by: link, in: Sample.types(), at: noon, requestID: "r-1")
  }

  private func takeBack(_ client: PostgresClient) async throws -> UnsubscriptionStore.Standing {
    try await UnsubscriptionStore(client: client).takeBack(by: link, in: Sample.types(), at: noon, requestID: "r-2")
  }

  private func count(_ client: PostgresClient) async throws -> Int {
    try await client.value("SELECT count(*) FROM unsubscriptions")
  }

  @Test func `choice, statistics and audit change together, and once`() async throws {
    try await TestDatabase.with { client in
      try await change(client) { $0.rows.categories["Allowance"] = ChannelChoices(email: true) }
      for _ in 0..<2 {
        let standing = try await unsubscribe(client)
        #expect(standing.isOn == false && standing.unsubscribedAt == noon && !standing.isErased)
      }
      let settings = try await SettingsStore(client: client).settings(of: user)
      #expect(settings.rows.categories == ["Allowance": ChannelChoices(email: false)])
      #expect(
        try await client.column("SELECT concat_ws(' ', type, channel, unsubscribed) FROM stats", as: String.self)
          == ["0 3 1"]
      )
      let entries = try await AuditStore(client: client).page(before: nil, limit: 9).entries
      #expect(entries.map(\.action) == ["user.unsubscribe"] && entries.map(\.actor) == ["link"])
      #expect(entries[0].subject == user.description && entries[0].requestID == "r-1")
      #expect(entries[0].detail?["category"]?.string == "Allowance")
    }
  }

  @Test func `it is taken back as it was, and not what was chosen in the app since`() async throws {
    try await TestDatabase.with { client in
      try await change(client) { $0.rows.types[10] = ChannelChoices(email: true) }
      _ = try await unsubscribe(client)
      let back = try await takeBack(client)
      #expect(back.isOn && back.unsubscribedAt == nil)
      #expect(
        try await SettingsStore(client: client).settings(of: user).rows
          == PreferenceRows(types: [10: ChannelChoices(email: true)])
      )
      #expect(try await count(client) == 0)
      _ = try await unsubscribe(client)
      try await change(client) { $0.rows = PreferenceRows(types: [11: ChannelChoices(email: true)]) }
      #expect(try await takeBack(client).isOn)
      #expect(
        try await SettingsStore(client: client).settings(of: user).rows
          == PreferenceRows(types: [11: ChannelChoices(email: true)])
      )
      let actions = try await AuditStore(client: client).page(before: nil, limit: 9).entries.map(\.action)
      #expect(actions == ["user.unsubscribe", "user.resubscribe", "user.unsubscribe"])
    }
  }

  @Test func `what is switched on in the app is no unsubscription any more`() async throws {
    try await TestDatabase.with { client in
      _ = try await unsubscribe(client)
      try await change(client) { $0.rows.categories["Allowance"] = ChannelChoices(email: true) }
      let standing = try await UnsubscriptionStore(client: client).standing(of: link, in: Sample.types())
      #expect(standing.isOn && standing.unsubscribedAt == nil)
    }
  }

  @Test(arguments: [true, false])
  func `what is switched on in the app and off again is the user's own choice, which no link takes back`(
    ofType: Bool
  ) async throws {
    try await TestDatabase.with { client in
      _ = try await unsubscribe(client)
      try await change(client) { settings in
        if ofType {
          settings.rows.types[10] = ChannelChoices(email: true)
        } else {
          settings.rows.categories["Allowance"] = ChannelChoices(email: true)
        }
      }
      #expect(try await count(client) == 0)
      try await change(client) { $0.rows = PreferenceRows(categories: ["Allowance": ChannelChoices(email: false)]) }
      let store = UnsubscriptionStore(client: client)
      let standing = try await store.standing(of: link, in: Sample.types())
      #expect(!standing.isOn && standing.unsubscribedAt == nil)
      #expect(try await takeBack(client).isOn == false)
      let actions = try await AuditStore(client: client).page(before: nil, limit: 9).entries.map(\.action)
      #expect(actions == ["user.unsubscribe"])
    }
  }

  @Test func `another choice in the app leaves what a link has done`() async throws {
    try await TestDatabase.with { client in
      try await change(client) { $0.rows.categories["Allowance"] = ChannelChoices(push: false, email: true) }
      _ = try await unsubscribe(client)
      try await change(client) { settings in
        settings.rows.categories["Allowance"]?[.push] = true
        settings.rows.categories["Tasks"] = ChannelChoices(email: true)
      }
      #expect(try await count(client) == 1)
      #expect(try await takeBack(client).isOn)
    }
  }

  @Test func `of who was erased since the mail nothing is written, and of who was erased before it is`() async throws {
    try await TestDatabase.with { client in
      let now = try #require(try await DatabaseClock(client: client).now())
      _ = try await ErasureStore(client: client).erase(user, by: nil)
      let store = UnsubscriptionStore(client: client)
      let types = try Sample.types()
      let former = UnsubscribeLink(user: user, category: "Allowance", issuedAt: now - 60, expiry: now + 86_400)
      for standing in [
        try await store.unsubscribe(by: former, in: types, at: now, requestID: nil),
        try await store.takeBack(by: former, in: types, at: now, requestID: nil),
        try await store.standing(of: former, in: types),
      ] {
        #expect(standing.isErased && standing.locale == nil)
      }
      #expect(try await count(client) == 0)
      #expect(try await SettingsStore(client: client).settings(of: user) == UserSettings())
      let later = UnsubscribeLink(user: user, category: "Allowance", issuedAt: now + 60, expiry: now + 86_400)
      let standing = try await store.unsubscribe(by: later, in: types, at: now + 60, requestID: nil)
      #expect(!standing.isErased && !standing.isOn)
      #expect(try await count(client) == 1)
    }
  }

  @Test func `many clicks at once are one`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      try await change(client) { $0.rows.categories["Allowance"] = ChannelChoices(email: true) }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 { group.addTask { try await unsubscribe(client).isOn } }
        for try await isOn in group { #expect(!isOn) }
      }
      #expect(try await client.value("SELECT sum(unsubscribed)::int8 FROM stats", as: Int.self) == 1)
      #expect(try await AuditStore(client: client).page(before: nil, limit: 9).entries.count == 1)
      _ = try await takeBack(client)
      let rows = try await SettingsStore(client: client).settings(of: user).rows
      #expect(rows.categories == ["Allowance": ChannelChoices(email: true)])
    }
  }

  @Test func `maintenance forgets what no link can take back, and the choice stays`() async throws {
    try await TestDatabase.with { client in
      _ = try await unsubscribe(client)
      for days in [61, 63] {
        _ = try await client.query(
          "UPDATE unsubscriptions SET unsubscribed_at = now() - make_interval(days => \(Int32(days)))"
        )
        let day = Duration.seconds(86_400)
        _ = try await MaintenanceStore(client: client)
          .run(retention: day * 30, keyLifetime: day, staleDevice: day * 90)
        #expect(try await count(client) == (days == 61 ? 1 : 0))
      }
      let rows = try await SettingsStore(client: client).settings(of: user).rows
      #expect(rows.categories == ["Allowance": ChannelChoices(email: false)])
    }
  }
}
