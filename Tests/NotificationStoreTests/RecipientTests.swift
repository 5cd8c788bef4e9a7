import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

struct RecipientTests {
  private func recipient(
    _ key: RecipientStore.Key,
    zone: Zone = .utc,
    _ client: PostgresClient
  ) async throws -> Recipient {
    try #require(try await RecipientStore(client: client, zone: zone).recipients(for: [key])[key])
  }

  @Test func `a recipient without a profile has the defaults`() async throws {
    try await TestDatabase.with { client in
      let berlin = try #require(Zone("Europe/Berlin"))
      let entity = try #require(RelatedEntity(type: "Goal", id: "1"))
      let key = try Sample.key(Sample.user(), about: entity)
      let found = try await RecipientStore(client: client, zone: berlin).recipients(for: [key])
      let recipient = try #require(found[key])
      #expect(found.count == 1)
      #expect(recipient.id == key.user)
      #expect(recipient.isEnabled && recipient.isSoundEnabled && recipient.isBadgeEnabled)
      #expect(recipient.email == nil && recipient.locale == nil && recipient.pausedUntil == nil)
      #expect(recipient.zone == berlin && recipient.quietHours == nil)
      #expect(recipient.typeChoices.isEmpty && recipient.categoryChoices.isEmpty && recipient.mutes.isEmpty)
      #expect(recipient.devices.isEmpty)
      #expect(recipient.settingsRevision == 0)
    }
  }

  @Test func `profile, choices and active devices come together`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let bob = Sample.user()
      _ = try await UserStore(client: client).put(.sample(email: "ann@example.org", isEnabled: false), of: ann)
      let types = try Sample.types()
      _ = try await SettingsStore(client: client).change(of: ann, in: types, at: .now) {
        $0.rows = PreferenceRows(
          types: [10: ChannelChoices(inApp: false, email: true)],
          categories: ["Allowance": ChannelChoices(push: false)]
        )
      }
      let phone = try await devices.register(.sample("phone", name: "Phone"), of: ann)
      let tablet = try await devices.register(.sample("tablet", platform: .iOS), of: ann)
      let old = try await devices.register(.sample("old"), of: ann)
      try await devices.deactivate(tokens: [(ann, old.id, "old", nil)], reason: "UNREGISTERED")
      let browser = try await devices.register(.sample("browser", platform: .web), of: bob)

      // Types 10 and 11 are of one category, 1 is of another.
      let keys = Set(try [Sample.key(ann), Sample.key(ann, type: 11), Sample.key(ann, type: 1), Sample.key(bob)])
      let recipients = try await RecipientStore(client: client).recipients(for: keys)
      #expect(Set(recipients.keys) == keys)
      let first = try #require(recipients[try Sample.key(ann)])
      #expect(first.email == "ann@example.org" && first.displayName == "Sam" && first.locale == "de")
      #expect(!first.isEnabled)
      #expect(first.typeChoices == ChannelChoices(inApp: false, email: true))
      #expect(first.categoryChoices == ChannelChoices(push: false))
      #expect(
        Set(first.devices.map(\.id)) == [phone.id, tablet.id]
          && first.devices.map(\.id) == first.devices.map(\.id).sorted()
      )
      #expect(first.devices.first { $0.id == tablet.id } == Device(id: tablet.id, token: "tablet", platform: .iOS))
      let sibling = try #require(recipients[try Sample.key(ann, type: 11)])
      #expect(sibling.typeChoices.isEmpty && sibling.categoryChoices == ChannelChoices(push: false))
      #expect(sibling.devices == first.devices)
      let stranger = try #require(recipients[try Sample.key(ann, type: 1)])
      #expect(stranger.typeChoices.isEmpty && stranger.categoryChoices.isEmpty)
      let second = try #require(recipients[try Sample.key(bob)])
      #expect(second.isEnabled && second.typeChoices.isEmpty && second.categoryChoices.isEmpty)
      #expect(second.devices.map(\.id) == [browser.id])
    }
  }

  @Test func `devices of every known platform are read, and others left out`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let key = try Sample.key(Sample.user())
      for platform in DevicePlatform.allCases {
        _ = try await devices.register(.sample("\(platform)", platform: platform), of: key.user)
      }
      let store = RecipientStore(client: client)
      let found = try #require(try await store.recipients(for: [key])[key])
      #expect(Set(found.devices.map(\.platform)) == Set(DevicePlatform.allCases))
      _ = try await client.query("UPDATE devices SET platform = 99 WHERE platform = 11")
      #expect(try await store.recipients(for: [key])[key]?.devices.count == DevicePlatform.allCases.count - 1)
    }
  }

  @Test func `a browser's subscription comes with what its pushes are encrypted with, and no other device has any`()
    async throws
  {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let key = try Sample.key(Sample.user())
      let keys = SubscriptionKeys(p256dh: "BNcRd-_re", auth: "tBHI-_t7mMg")
      var browser = DeviceStore.Registration(token: "https://push.example.net/1", platform: .webPush)
      browser.keys = keys
      _ = try await devices.register(browser, of: key.user)
      for platform in [DevicePlatform.android, .apns] {
        _ = try await devices.register(.sample("\(platform)", platform: platform), of: key.user)
      }
      func credentials() async throws -> [DevicePlatform: SubscriptionKeys] {
        let found = try await recipient(key, client).devices
        #expect(found.count == 3)
        return found.reduce(into: [:]) { $0[$1.platform] = $1.credentials }
      }
      #expect(try await credentials() == [.webPush: keys])
      // Half of them is of no use.
      _ = try await client.query("UPDATE devices SET keys = keys - 'auth' WHERE platform = 13")
      #expect(try await credentials() == [:])
    }
  }

  @Test func `each device comes with its kind, its installation and what its provider has to know`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let key = try Sample.key(Sample.user())
      let (keys, app) = (SubscriptionKeys(p256dh: "p", auth: "a"), UUID())
      let registrations = [
        DeviceStore.Registration(token: "fid", platform: .android, kind: .installation),
        DeviceStore.Registration(token: "token", platform: .iOS, installation: app),
        DeviceStore.Registration(
          token: "740f",
          platform: .apns,
          installation: app,
          apns: APNsAddress(environment: .sandbox, topic: "org.example.app")
        ),
        DeviceStore.Registration(token: "https://push.example.net/1", platform: .webPush, keys: keys, vapidKey: "key"),
      ]
      for registration in registrations { _ = try await devices.register(registration, of: key.user) }
      let found = try await recipient(key, client).devices.reduce(into: [:]) { $0[$1.token] = $1 }
      #expect(found.count == 4)
      #expect(found["fid"]?.kind == .installation && found["fid"]?.apns == nil)
      #expect(found["token"]?.kind == .token && found["token"]?.installation == app)
      #expect(found["740f"]?.installation == app && found["740f"]?.apns?.environment == .sandbox)
      #expect(found["740f"]?.apns?.topic == "org.example.app")
      let seconds = try await client.value(
        "SELECT extract(epoch FROM registered_at)::float8 FROM devices WHERE token = '740f'",
        as: Double.self
      )
      let registered = try #require(found["740f"]?.apns?.registeredAt?.timeIntervalSince1970)
      #expect(abs(registered - seconds) < 0.001)
      let browser = try #require(found["https://push.example.net/1"])
      #expect(browser.credentials == keys && browser.vapidKey == "key" && browser.apns == nil)
    }
  }

  @Test func `who has nothing beside an address is stated in one NULL for each device`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      _ = try await DeviceStore(client: client).register(.sample("phone"), of: user)
      let row = try #require(try await client.query(RecipientStore.activeDevices(of: [user])).first)
      #expect(try row.get(4, as: [String?]?.self) == nil)
    }
  }

  @Test func `quiet hours are by the user's clocks, else the deployment's, and only where they are on`() async throws {
    try await TestDatabase.with { client in
      let store = SettingsStore(client: client)
      let key = try Sample.key(Sample.user())
      let types = try Sample.types()
      let (tokyo, lima) = (try #require(Zone("Asia/Tokyo")), try #require(Zone("America/Lima")))
      let (start, end) = (try #require(LocalTime("22:30")), try #require(LocalTime("07:00:01")))
      _ = try await store.change(of: key.user, in: types, at: .now) {
        ($0.quietHoursEnabled, $0.quietHoursStart, $0.quietHoursEnd) = (true, start, end)
        ($0.isSoundEnabled, $0.pausedUntil) = (false, Date(timeIntervalSince1970: 1_900_000_000))
      }
      var found = try await recipient(key, zone: lima, client)
      #expect(found.zone == lima)
      #expect(found.quietHours == QuietHours(start: start, end: end, zone: lima))
      #expect(!found.isSoundEnabled && found.isBadgeEnabled)
      #expect(found.pausedUntil == Date(timeIntervalSince1970: 1_900_000_000))
      #expect(found.settingsRevision == 1)
      _ = try await store.change(of: key.user, in: types, at: .now) { $0.timezone = "Asia/Tokyo" }
      found = try await recipient(key, zone: lima, client)
      #expect(found.quietHours == QuietHours(start: start, end: end, zone: tokyo))
      #expect(found.settingsRevision == 2)
      // A zone that the database of this machine does not have.
      _ = try await client.query("UPDATE users SET timezone = 'Mars/Olympus' WHERE user_id = \(key.user)")
      #expect(try await recipient(key, zone: lima, client).quietHours?.zone == lima)
      _ = try await store.change(of: key.user, in: types, at: .now) {
        ($0.quietHoursEnabled, $0.isBadgeEnabled) = (false, false)
      }
      found = try await recipient(key, zone: lima, client)
      #expect(found.quietHours == nil && !found.isBadgeEnabled)
    }
  }

  @Test func `who has set nothing is stated in one NULL, who has set something by whatever way in one array`()
    async throws
  {
    try await TestDatabase.with { client in
      let key = try Sample.key(Sample.user())
      _ = try await UserStore(client: client).put(.sample(email: "ann@example.org"), of: key.user)
      _ = try await client.query("UPDATE users SET settings_revision = 0, settings = '{}' WHERE user_id = \(key.user)")
      func settings() async throws -> [Int?]? {
        let row = try #require(try await client.query(RecipientStore.profiles(of: [key.user])).first)
        return try row.get(8)
      }
      #expect(try await settings() == nil)
      _ = try await client.query("UPDATE users SET settings_revision = 3 WHERE user_id = \(key.user)")
      #expect(try await settings() == [nil, nil, 1, 1, 3])
      #expect(try await recipient(key, zone: .utc, client).settingsRevision == 3)
      _ = try await client.query(
        """
        UPDATE users SET settings_revision = 0, quiet_hours_enabled = true, quiet_hours_start = '22:00', quiet_hours_end = '07:00',
          settings = '{"soundEnabled": false}'
        WHERE user_id = \(key.user)
        """
      )
      #expect(try await settings() == [79_200, 25_200, 0, 1, 0])
    }
  }

  @Test func `mutes are read of what a request is about, and of nothing else`() async throws {
    try await TestDatabase.with { client in
      let mutes = MuteStore(client: client)
      let (ann, bob) = (Sample.user(), Sample.user())
      let goal = try #require(RelatedEntity(type: "Goal", id: "A"))
      let chat = try #require(RelatedEntity(type: "Conversation", id: "A"))
      let end = Date(timeIntervalSince1970: 2_000_000_000)
      #expect(try await mutes.mute(goal, of: ann, until: nil, at: .now))
      #expect(try await mutes.mute(chat, of: ann, until: end, at: .now))
      let keys = try [Sample.key(ann), Sample.key(ann, about: goal), Sample.key(ann, about: chat)]
      let other = try Sample.key(bob, about: goal)
      let found = try await RecipientStore(client: client).recipients(for: Set(keys + [other]))
      #expect(found.count == 4)
      #expect(keys.map { found[$0]?.mutes } == [[:], [goal: .distantFuture], [chat: end]])
      #expect(found[other]?.mutes == [:])
    }
  }
}
