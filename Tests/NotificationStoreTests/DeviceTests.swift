import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

struct DeviceTests {
  @Test func `the same token again is the same device`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let user = Sample.user()
      let first = try await devices.register(.sample("token"), of: user)
      let again = try await devices.register(.sample("token", name: "Phone"), of: user)
      #expect(again.id == first.id)
      #expect(again.name == "Phone")
      #expect(again.createdAt == first.createdAt)
      #expect(again.lastUsedAt > first.lastUsedAt)
      #expect(try await devices.devices(of: user).count == 1)
    }
  }

  @Test func `a token that another user registers moves to that user`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let bob = Sample.user()
      _ = try await devices.register(.sample("token"), of: ann)
      let moved = try await devices.register(.sample("token"), of: bob)
      #expect(moved.isActive)
      #expect(try await devices.devices(of: ann).isEmpty)
      #expect(try await devices.devices(of: bob).map(\.id) == [moved.id])
    }
  }

  @Test func `a new token of the same device replaces the old one`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let user = Sample.user()
      let old = try await devices.register(.sample("old", name: "Phone"), of: user)
      let tablet = try await devices.register(.sample("ios", platform: .iOS, name: "Phone"), of: user)
      let nameless = try await devices.register(.sample("nameless"), of: user)
      let new = try await devices.register(.sample("new", name: "Phone"), of: user)
      let found = try await devices.devices(of: user)
      #expect(found.map(\.id) == [new.id, nameless.id, tablet.id, old.id])
      #expect(found.map(\.isActive) == [true, true, true, false])
      #expect(
        try await client.value("SELECT deactivation_reason FROM devices WHERE NOT active", as: String.self)
          == "replaced"
      )
    }
  }

  @Test func `at most five devices are active, and the least recently used gives way`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let user = Sample.user()
      var registered: [DeviceID] = []
      for number in 0..<5 { registered.append(try await devices.register(.sample("\(number)"), of: user).id) }
      _ = try await devices.register(.sample("0"), of: user)
      let sixth = try await devices.register(.sample("5"), of: user)
      let found = try await devices.devices(of: user)
      #expect(found.first?.id == sixth.id)
      #expect(found.filter { !$0.isActive }.map(\.id) == [registered[1]])
      // The one that had to go comes back, and the next oldest goes.
      _ = try await devices.register(.sample("1"), of: user)
      #expect(try await devices.devices(of: user).filter { !$0.isActive }.map(\.id) == [registered[2]])
    }
  }

  @Test func `of the inactive ones only the most recently used are kept`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let user = Sample.user()
      let other = try await devices.register(.sample("other"), of: Sample.user())
      var registered: [DeviceID] = []
      for number in 0..<40 { registered.append(try await devices.register(.sample("\(number)"), of: user).id) }
      let kept = Array(registered.suffix(DeviceStore.maximumKept).reversed())
      #expect(try await devices.devices(of: user).map(\.id) == kept)
      let rows = try await client.column("SELECT id FROM devices", as: DeviceID.self)
      #expect(Set(rows) == Set(kept + [other.id]))
    }
  }

  @Test func `a list is bounded whatever an earlier version left`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      _ = try await client.query(
        """
        INSERT INTO devices (user_id, id, token, platform, active)
        SELECT \(user), gen_random_uuid(), n::text, 1, false FROM generate_series(1, 1000) AS n
        """
      )
      let devices = DeviceStore(client: client)
      #expect(try await devices.devices(of: user).count == DeviceStore.maximumKept + DeviceStore.maximumActive)
      _ = try await devices.register(.sample("new"), of: user)
      #expect(try await client.value("SELECT count(*) FROM devices", as: Int.self) == 16)
    }
  }

  @Test func `concurrent registrations keep the limit`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let devices = DeviceStore(client: client)
      let user = Sample.user()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<24 { group.addTask { _ = try await devices.register(.sample("\(number)"), of: user) } }
        try await group.waitForAll()
      }
      #expect(try await devices.devices(of: user).count(where: \.isActive) == DeviceStore.maximumActive)
    }
  }

  @Test func `users who register each other's tokens at once do not wait for each other`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let devices = DeviceStore(client: client)
      let users = Sample.users(2)
      // Of one name, so that each registration has another row of its user's to deactivate.
      for round in 0...200 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (index, user) in users.enumerated() {
            group.addTask { _ = try await devices.register(.sample("\((index + round) % 2)", name: "Phone"), of: user) }
          }
          try await group.waitForAll()
        }
      }
      let owners = try await client.column("SELECT user_id FROM devices WHERE active ORDER BY token", as: UserID.self)
      #expect(owners == users)
    }
  }

  @Test func `a device is deactivated only while it has the token that was refused`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let bob = Sample.user()
      let kept = try await devices.register(.sample("kept"), of: ann)
      let gone = try await devices.register(.sample("gone"), of: ann)
      let moved = try await devices.register(.sample("moved"), of: ann)
      _ = try await devices.register(.sample("moved"), of: bob)
      try await devices.deactivate(
        tokens: [(ann, kept.id, "former", nil), (ann, gone.id, "gone", nil), (ann, moved.id, "moved", nil)],
        reason: "UNREGISTERED"
      )
      #expect(try await devices.devices(of: ann).filter(\.isActive).map(\.id) == [kept.id])
      #expect(try await devices.devices(of: bob).filter(\.isActive).map(\.id) == [moved.id])
    }
  }

  @Test func `a device is removed by its owner, with its token`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let (ann, bob) = (Sample.user(), Sample.user())
      let phone = try await devices.register(.sample("phone"), of: ann)
      _ = try await devices.register(.sample("tablet"), of: ann)
      #expect(try await !devices.remove(phone.id, of: bob))
      try await devices.remove(token: "tablet", of: bob)
      #expect(try await devices.devices(of: ann).count == 2)
      #expect(try await devices.remove(phone.id, of: ann))
      #expect(try await !devices.remove(phone.id, of: ann))
      try await devices.remove(token: "tablet", of: ann)
      #expect(try await client.value("SELECT count(*) FROM devices", as: Int.self) == 0)
      // It may come back, as another device.
      #expect(try await devices.register(.sample("phone"), of: ann).id != phone.id)
    }
  }

  @Test func `a token that comes back as another kind has that kind's keys, or none`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      var registration = DeviceStore.Registration(token: "https://push.example.net/1", platform: .webPush)
      for (keys, auth) in [
        (SubscriptionKeys(p256dh: "p", auth: "a"), "a"), (SubscriptionKeys(p256dh: "p", auth: "b"), "b"),
      ] {
        registration.keys = keys
        _ = try await devices.register(registration, of: ann)
        #expect(try await client.column("SELECT keys ->> 'auth' FROM devices", as: String.self) == [auth])
      }
      registration.platform = .web
      registration.keys = nil
      _ = try await devices.register(registration, of: ann)
      #expect(try await client.column("SELECT (keys IS NULL)::text FROM devices", as: String.self) == ["true"])
    }
  }

  @Test func `five devices are active in all, of whatever provider`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      func register(_ platform: DevicePlatform) async throws {
        _ = try await devices.register(.sample("\(platform) \(UserID(UUID()))", platform: platform), of: ann)
      }
      func active() async throws -> [Int] {
        try await devices.devices(of: ann).filter(\.isActive).map(\.platform).sorted()
      }
      try await register(.android)
      for _ in 0..<DeviceStore.maximumActive { try await register(.apns) }
      #expect(try await active() == [11, 11, 11, 11, 11])
      for platform in [DevicePlatform.webPush, .iOS, .web] { try await register(platform) }
      #expect(try await active() == [1, 3, 11, 11, 13])
      // Ten active ones, as a release before left them: the next registration mends it.
      _ = try await client.query("UPDATE devices SET active = true")
      try await register(.apns)
      #expect(try await active() == [1, 3, 11, 11, 13])
    }
  }
}
