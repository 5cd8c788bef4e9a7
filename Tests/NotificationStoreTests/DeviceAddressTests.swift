import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

/// Addresses of the same app: which replaces which, and what is kept beside them.
struct DeviceAddressTests {
  private static let fid = "cIDAAAAAAAAAAAAAAAAAAA"
  private static let token = fid + ":APA91b-token"

  private func fid(_ text: String = fid, name: String? = nil, installation: UUID? = nil) -> DeviceStore.Registration {
    DeviceStore.Registration(
      token: text,
      platform: .android,
      name: name,
      kind: .installation,
      installation: installation
    )
  }

  private func registration(
    _ token: String,
    _ platform: DevicePlatform,
    of installation: UUID?
  ) -> DeviceStore.Registration {
    DeviceStore.Registration(token: token, platform: platform, installation: installation)
  }

  /// Addresses of the active devices.
  private func active(_ client: PostgresClient, of user: UserID? = nil) async throws -> [String] {
    try await client.column(
      "SELECT token FROM devices WHERE active AND (user_id = \(user) OR \(user == nil))",
      as: String.self
    ).sorted()
  }

  /// The key of a subscription after it was registered; `none` if there is none.
  private func key(
    after key: String?,
    isSaid: Bool = false,
    of user: UserID,
    _ client: PostgresClient
  ) async throws -> String {
    var subscription = registration("https://push.example.net/1", .webPush, of: nil)
    (subscription.vapidKey, subscription.isVAPIDKeySaid) = (key, isSaid)
    _ = try await DeviceStore(client: client).register(subscription, of: user)
    return try await client.column("SELECT coalesce(vapid_key, 'none') FROM devices", as: String.self).joined()
  }

  @Test func `a subscription keeps its VAPID key until its browser says another`() async throws {
    try await TestDatabase.with { client in
      let (user, other) = (Sample.user(), Sample.user())
      let steps: [(key: String?, isSaid: Bool, user: UserID, kept: String)] = [
        (nil, false, user, "none"), ("old", false, user, "old"), ("new", false, user, "old"),
        ("new", false, other, "old"), ("new", true, other, "new"), (nil, false, user, "new"),
      ]
      for (index, step) in steps.enumerated() {
        let kept = try await key(after: step.key, isSaid: step.isSaid, of: step.user, client)
        #expect(kept == step.kept, "\(index)")
      }
    }
  }

  @Test func `an installation id replaces the token that begins with it, and no other`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      _ = try await devices.register(.sample(Self.token), of: ann)
      // Others' beginnings, and what only looks alike.
      let others = ["cIDBBBBBBBBBBBBBBBBBBB:APA91b", Self.fid + "x:1", "x" + Self.token]
      for other in others { _ = try await devices.register(.sample(other), of: ann) }
      let replaced = try await devices.register(fid(), of: ann)
      #expect(replaced.isActive && replaced.kind == .installation)
      #expect(try await active(client) == ([Self.fid] + others).sorted())
      #expect(
        try await client.column("SELECT deactivation_reason FROM devices WHERE NOT active", as: String.self)
          == ["replaced"]
      )
    }
  }

  @Test func `an installation id that another user registers leaves the former user's token no pushes`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let (ann, bob) = (Sample.user(), Sample.user())
      _ = try await devices.register(.sample(Self.token), of: ann)
      _ = try await devices.register(fid(), of: bob)
      #expect(try await active(client, of: ann) == [])
      // And the other way round: the phone is Ann's again, by an older app.
      #expect(try await devices.register(.sample(Self.token), of: ann).isActive)
      #expect(try await active(client, of: bob) == [])
      #expect(try await active(client, of: ann) == [Self.token])
    }
  }

  @Test func `a token that comes after its installation id is kept, but gets nothing and replaces nothing`()
    async throws
  {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      _ = try await devices.register(fid(name: "Pixel"), of: ann)
      _ = try await devices.register(.sample("tablet", platform: .iOS), of: ann)
      let late = try await devices.register(.sample(Self.token, name: "Pixel"), of: ann)
      #expect(!late.isActive)
      #expect(try await active(client) == [Self.fid, "tablet"].sorted())
      // FCM does not know the installation any more: then the token counts.
      let id = try #require(try await devices.devices(of: ann).first { $0.kind == .installation }).id
      try await devices.deactivate(tokens: [(ann, id, Self.fid, nil)], reason: "UNREGISTERED")
      #expect(try await devices.register(.sample(Self.token, name: "Pixel"), of: ann).isActive)
    }
  }

  @Test func `a kind is what the app says, not what the text looks like`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let first = try await devices.register(.sample(Self.fid), of: ann)
      #expect(first.kind == .token)
      // A token without the kind replaces no other, whatever it is called.
      #expect(try await devices.register(.sample(Self.token), of: ann).isActive)
      #expect(try await active(client).count == 2)
      let again = try await devices.register(fid(), of: ann)
      #expect(again.id == first.id && again.kind == .installation)
      #expect(try await active(client) == [Self.fid])
    }
  }

  @Test func `a new address of an installation replaces the old one with the same provider alone`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let (phone, tablet) = (UUID(), UUID())
      for (token, platform, installation) in [
        ("fcm 1", DevicePlatform.iOS, phone), ("apns 1", .apns, phone), ("other", .iOS, tablet),
        ("fcm 2", .iOS, phone),
      ] {
        _ = try await devices.register(registration(token, platform, of: installation), of: ann)
      }
      _ = try await devices.register(registration("nobody's", .iOS, of: nil), of: ann)
      #expect(try await active(client) == ["apns 1", "fcm 2", "nobody's", "other"])
      #expect(try await devices.devices(of: ann).compactMap(\.installation).count == 4)
    }
  }

  @Test func `concurrent registrations of one installation leave one device of each provider`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let app = UUID()
      let (fid, token) = (fid(installation: app), registration(Self.token, .android, of: app))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<12 {
          group.addTask { _ = try await devices.register(registration("0a\(number)", .apns, of: app), of: ann) }
          group.addTask { _ = try await devices.register(number % 2 == 0 ? fid : token, of: ann) }
        }
        try await group.waitForAll()
      }
      let left = try await active(client)
      // Whichever came last, the installation id stays: the token does not work beside it.
      #expect(left.count == 2 && left.contains(Self.fid), "\(left)")
    }
  }

  @Test func `users who register one installation's token and id at once do not wait for each other`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let devices = DeviceStore(client: client)
      let users = Sample.users(2)
      let registrations = [fid(name: "Pixel"), DeviceStore.Registration.sample(Self.token, name: "Pixel")]
      for round in 0...100 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (index, user) in users.enumerated() {
            let registration = registrations[(index + round) % 2]
            group.addTask { _ = try await devices.register(registration, of: user) }
          }
          try await group.waitForAll()
        }
        // The phone is one user's.
        #expect(try await active(client).count == 1)
      }
    }
  }

  @Test func `each registration refreshes its time, and what APNs said of the environment stays`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      var native = DeviceStore.Registration(token: "740f", platform: .apns)
      native.apns = APNsAddress(environment: .production, topic: "org.example.app")
      _ = try await devices.register(native, of: ann)
      func stored() async throws -> String {
        try await client.value(
          "SELECT concat_ws(' ', apns_environment, apns_topic, registered_at > now() - interval '1 day') FROM devices",
          as: String.self
        )
      }
      #expect(try await stored() == "production org.example.app t")
      _ = try await client.query(
        "UPDATE devices SET registered_at = now() - interval '2 days', apns_environment = 'sandbox'"
      )
      #expect(try await stored() == "sandbox org.example.app f")
      native.apns = nil
      _ = try await devices.register(native, of: ann)
      #expect(try await stored() == "sandbox t")
      native.apns = APNsAddress(environment: .production)
      _ = try await devices.register(native, of: ann)
      #expect(try await stored() == "production t")
    }
  }

  @Test func `a logout by one address takes the others of its installation along, and nobody else's`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let (ann, bob) = (Sample.user(), Sample.user())
      let app = UUID()
      _ = try await devices.register(registration("fcm", .iOS, of: app), of: ann)
      _ = try await devices.register(registration("740f", .apns, of: app), of: ann)
      _ = try await devices.register(registration("tablet", .iOS, of: nil), of: ann)
      _ = try await devices.register(registration("bob's", .iOS, of: app), of: bob)
      try await devices.remove(token: "fcm", of: bob)
      #expect(try await active(client).count == 4)
      try await devices.remove(tokens: ["740F", "740f"], of: ann)
      #expect(try await active(client) == ["bob's", "tablet"])
      // By the token that an installation id has replaced.
      _ = try await devices.register(.sample(Self.token), of: ann)
      _ = try await devices.register(fid(), of: ann)
      try await devices.remove(token: Self.token, of: ann)
      #expect(try await active(client) == ["bob's", "tablet"])
    }
  }

  @Test func `the environment that APNs takes a token in is stored, of this token alone`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let phone = try await devices.register(registration("740f", .apns, of: nil), of: ann)
      func environments() async throws -> [String] {
        try await client.column("SELECT coalesce(apns_environment, 'none') FROM devices", as: String.self)
      }
      try await devices.move(phone.id, of: ann, token: "other", to: .sandbox)
      try await devices.move(phone.id, of: Sample.user(), token: "740f", to: .sandbox)
      #expect(try await environments() == ["none"])
      try await devices.move(phone.id, of: ann, token: "740f", to: .sandbox)
      #expect(try await environments() == ["sandbox"])
    }
  }

  @Test func `a token that was registered after its provider knew of its end stays`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let gone = Date(timeIntervalSince1970: 1_790_000_000)
      // Of a release before nobody knows when it was registered: its last use counts.
      let cases: [(registered: Date?, used: Date, isKept: Bool)] = [
        (gone + 1, gone, true), (gone, gone + 1, false), (gone - 1, gone + 1, false), (nil, gone + 1, true),
        (nil, gone, false),
      ]
      for (registered, used, isKept) in cases {
        let phone = try await devices.register(registration("740f", .apns, of: nil), of: ann)
        _ = try await client.query("UPDATE devices SET registered_at = \(registered), last_used_at = \(used)")
        try await devices.deactivate(tokens: [(ann, phone.id, "740f", gone)], reason: "Unregistered")
        #expect(try await active(client) == (isKept ? ["740f"] : []), "\(String(describing: registered)) \(used)")
      }
      // A provider that names no time is believed.
      let phone = try await devices.register(registration("740f", .apns, of: nil), of: ann)
      try await devices.deactivate(tokens: [(ann, phone.id, "740f", nil)], reason: "Unregistered")
      #expect(try await active(client).isEmpty)
    }
  }

  @Test func `devices of the release before are tokens as they were`() async throws {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        let former = Array(Schema.migrations.prefix { $0.name != "m0024_device_addresses.sql" })
        _ = try await PostgresMigrator.apply(former, with: client, logger: .quiet)
        let key = try Sample.key(Sample.user())
        let used = Date(timeIntervalSince1970: 1_790_000_000)
        _ = try await client.query(
          """
          INSERT INTO devices (user_id, id, token, platform, last_used_at)
          SELECT \(key.user), gen_random_uuid(), \(Self.fid) || ':' || p, p, \(used) FROM unnest(ARRAY[2, 11, 13]) AS p
          """
        )
        try await Schema.migrate(client, logger: .quiet)
        let found = try #require(try await RecipientStore(client: client).recipients(for: [key])[key]).devices
        #expect(found.count == 3)
        #expect(found.allSatisfy { $0.kind == .token && $0.installation == nil && $0.vapidKey == nil })
        // Their last use was a registration.
        #expect(found.compactMap(\.apns) == [APNsAddress(registeredAt: used)])
        #expect(try await DeviceStore(client: client).devices(of: key.user).map(\.kind) == [.token, .token, .token])
      }
    }
  }
}
