import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

/// Profiles.
struct ProfileTests {
  @Test func `a profile is created once and replaced after that`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let user = Sample.user()
      #expect(try await users.profile(of: user) == nil)
      let first = try await users.put(.sample(), of: user)
      #expect(first.isNew && first.profile == .sample())
      #expect(try await users.profile(of: user) == .sample())
      let second = try await users.put(.sample(email: nil, isEnabled: false), of: user)
      #expect(!second.isNew && second.profile == .sample(email: nil, isEnabled: false))
      #expect(try await users.profile(of: user) == second.profile)
    }
  }

  @Test func `a profile without time zone and master switch leaves what the user chose`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let nothing = UserStore.Profile(email: nil, displayName: nil, locale: nil, timezone: nil, isEnabled: nil)
      let user = Sample.user()
      _ = try await SettingsStore(client: client).change(of: user, in: Sample.types(), at: .now) {
        $0.isEnabled = false
        $0.timezone = "Asia/Tokyo"
      }
      let stored = try await users.put(nothing, of: user)
      #expect(!stored.isNew && stored.profile.isEnabled == false && stored.profile.timezone == "Asia/Tokyo")
      #expect(try await users.profile(of: user) == stored.profile)
      let other = try await users.put(nothing, of: Sample.user())
      #expect(other.isNew && other.profile.isEnabled == true && other.profile.timezone == nil)
    }
  }

  @Test func `a refused address is suppressed until the user has another one, and again if the user has it again`()
    async throws
  {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let suppressions = SuppressionStore(client: client)
      let user = Sample.user()
      let key = try Sample.key(user)
      func isSuppressed() async throws -> Bool? {
        try await RecipientStore(client: client).recipients(for: [key])[key]?.isEmailSuppressed
      }
      func refuse(_ address: String) async throws {
        try await suppressions.record([.init(address: address, kind: .permanent("5.1.1"), source: "smtp", at: .now)])
      }
      _ = try await users.put(.sample(email: "a@example.org"), of: user)
      try await refuse("former@example.org")
      #expect(try await isSuppressed() == false)
      try await refuse("a@example.org")
      #expect(try await isSuppressed() == true)
      _ = try await users.put(.sample(email: "a@example.org", isEnabled: false), of: user)
      #expect(try await isSuppressed() == true)
      _ = try await users.put(.sample(email: "b@example.org"), of: user)
      #expect(try await isSuppressed() == false)
      _ = try await users.put(.sample(email: "a@EXAMPLE.org"), of: user)
      #expect(try await isSuppressed() == true)
    }
  }

  private struct SMSRouting: RoutingChannel {
    let channel = Channel(rawValue: 4)
    let name = "sms"
    let hasQueue = true
    var address: AddressField? {
      AddressField(member: "phone", limit: 16, problem: "expected a number such as +49301") { $0.hasPrefix("+") }
    }

    func objection(to recipient: Recipient) -> SkipReason? { nil }
    func targets(of recipient: Recipient) -> [DeliveryTarget] { [] }
  }

  @Test func `an address of a further channel is kept, suppressed until there is another, and exported`() async throws {
    try await TestDatabase.with { client in
      let channels = Channel.routing + [SMSRouting()]
      let sms = Channel(rawValue: 4)
      let users = UserStore(client: client, channels: channels)
      let user = Sample.user()
      let key = try Sample.key(user)
      func address() async throws -> ChannelAddress? {
        let found = try await RecipientStore(client: client, channels: channels).recipients(for: [key])
        return found[key]?.addresses[sms]
      }
      var profile = UserStore.Profile.sample()
      profile.addresses[sms] = "+49301"
      #expect(try await users.put(profile, of: user).isNew)
      #expect(try await users.profile(of: user) == profile)
      #expect(try await address() == ChannelAddress("+49301"))
      try await users.suppress("+49302", on: sms, of: user)
      #expect(try await address()?.isSuppressed == false)
      try await users.suppress("+49301", on: sms, of: user)
      #expect(try await address()?.isSuppressed == true)
      _ = try await users.put(profile, of: user)
      #expect(try await address()?.isSuppressed == true)
      let exports = ExportStore(client: client, catalogue: try Catalogue(channels: channels))
      var export = try await exports.begin(user, at: .now)
      var text = ""
      while let piece = try await export.next() { text += String(decoding: piece, as: UTF8.self) }
      #expect(text.contains(#""emailStatus":0,"phone":"+49301","phoneStatus":1,"displayName""#))
      // Who does not know the channel leaves its address alone.
      _ = try await UserStore(client: client).put(.sample(), of: user)
      #expect(try await address() == ChannelAddress("+49301", isSuppressed: true))
      profile.addresses[sms] = "+49302"
      _ = try await users.put(profile, of: user)
      #expect(try await address() == ChannelAddress("+49302"))
      _ = try await users.put(.sample(), of: user)
      #expect(try await address() == nil)
      #expect(try await client.value("SELECT addresses IS NULL FROM users WHERE user_id = \(user)"))
    }
  }

  @Test func `a profile is changed where it is named, and nothing is made of what is not there`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let user = Sample.user()
      var expected = UserStore.Profile.sample()
      (expected.locale, expected.timezone) = ("pt-BR", nil)
      let wanted = expected
      #expect(try await users.change(of: user) { _ in wanted } == nil)
      #expect(try await users.profile(of: user) == nil)
      _ = try await users.put(.sample(), of: user)
      #expect(try await users.change(of: user) { _ in wanted } == wanted)
      #expect(try await users.profile(of: user) == wanted)
    }
  }

  @Test func `only a change of zone or master switch makes what waits look again`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let user = Sample.user()
      func revision() async throws -> Int {
        try await client.value("SELECT settings_revision FROM users WHERE user_id = \(user)")
      }
      _ = try await users.put(.sample(), of: user)
      let first = try await revision()
      _ = try await users.change(of: user) { $0.with { $0.displayName = "Ann B." } }
      #expect(try await revision() == first)
      _ = try await users.change(of: user) { $0.with { $0.timezone = "Asia/Tokyo" } }
      #expect(try await revision() == first + 1)
      _ = try await users.change(of: user) { $0.with { $0.isEnabled = false } }
      #expect(try await revision() == first + 2)
    }
  }

  @Test func `who refuses what there is changes nothing, and is shown it while nobody else writes`() async throws {
    struct Refusal: Error {}
    try await TestDatabase.with(connections: 4) { client in
      let users = UserStore(client: client)
      let user = Sample.user()
      await #expect(throws: Refusal.self) { try await users.put(.sample(), of: user) { _ in throw Refusal() } }
      #expect(try await users.profile(of: user) == nil)
      // Each wants to be the first.
      let firsts = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<12 {
          group.addTask {
            do {
              _ = try await users.put(.sample(email: "\(number)@example.org"), of: user) { former in
                if former != nil { throw Refusal() }
              }
              return 1
            } catch is Refusal {
              return 0
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(firsts == 1)
      await #expect(throws: Refusal.self) {
        try await users.change(of: user) { _ in throw Refusal() }
      }
      #expect(try await users.profile(of: user)?.email != "none@example.org")
    }
  }
}

extension UserStore.Profile {
  fileprivate func with(_ edit: (inout Self) -> Void) -> Self {
    var copy = self
    edit(&copy)
    return copy
  }
}
