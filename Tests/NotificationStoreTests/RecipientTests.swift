import NotificationModel
import NotificationStore
import TestSupport
import Testing

struct RecipientTests {
  @Test func `a recipient without a profile has the defaults`() async throws {
    try await TestDatabase.with { client in
      let key = RecipientStore.Key(user: Sample.user(), type: 10)
      let recipients = try await RecipientStore(client: client).recipients(for: [key])
      let recipient = try #require(recipients[key])
      #expect(recipients.count == 1)
      #expect(recipient.id == key.user)
      #expect(recipient.isEnabled)
      #expect(recipient.email == nil)
      #expect(recipient.typeChoices.isEmpty)
      #expect(recipient.devices.isEmpty)
    }
  }

  @Test func `profile, preference for the type and active devices come together`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let bob = Sample.user()
      _ = try await users.put(.sample(email: "ann@example.org", isEnabled: false), of: ann)
      try await users.setPreferences([10: PerChannel(inApp: false, push: true, email: true)], of: ann)
      let phone = try await devices.register(.sample("phone", name: "Phone"), of: ann)
      let tablet = try await devices.register(.sample("tablet", platform: .iOS), of: ann)
      let old = try await devices.register(.sample("old"), of: ann)
      try await devices.deactivate(tokens: [(ann, old.id, "old")], reason: "UNREGISTERED")
      let browser = try await devices.register(.sample("browser", platform: .web), of: bob)

      let keys: Set = [RecipientStore.Key(user: ann, type: 10), .init(user: ann, type: 11), .init(user: bob, type: 10)]
      let recipients = try await RecipientStore(client: client).recipients(for: keys)
      #expect(Set(recipients.keys) == keys)
      let first = try #require(recipients[.init(user: ann, type: 10)])
      #expect(first.email == "ann@example.org")
      #expect(first.displayName == "Sam")
      #expect(!first.isEnabled)
      #expect(first.typeChoices == ChannelChoices(inApp: false, push: true, email: true))
      #expect(
        Set(first.devices.map(\.id)) == [phone.id, tablet.id]
          && first.devices.map(\.id) == first.devices.map(\.id).sorted()
      )
      #expect(first.devices.first { $0.id == tablet.id } == Device(id: tablet.id, token: "tablet", platform: .iOS))
      let other = try #require(recipients[.init(user: ann, type: 11)])
      #expect(other.typeChoices.isEmpty)
      #expect(other.devices == first.devices)
      let second = try #require(recipients[.init(user: bob, type: 10)])
      #expect(second.isEnabled)
      #expect(second.devices.map(\.id) == [browser.id])
    }
  }
}
