import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

/// Groups and profiles.
struct DirectoryTests {
  @Test func `replacing a group leaves exactly the given members`() async throws {
    try await TestDatabase.with { client in
      let groups = GroupStore(client: client)
      let users = Sample.users(4).sorted()
      try await groups.replace("family:1", members: [users[2], users[0], users[2]])
      try await groups.replace("family:2", members: [users[3]])
      #expect(try await groups.members(of: "family:1", limit: 10) == [users[0], users[2]])
      try await groups.replace("family:1", members: [users[1], users[2]])
      #expect(try await groups.members(of: "family:1", limit: 10) == [users[1], users[2]])
      try await groups.replace("family:1", members: [])
      #expect(try await groups.members(of: "family:1", limit: 10).isEmpty)
      #expect(try await groups.members(of: "family:2", limit: 10) == [users[3]])
    }
  }

  @Test func `members come in pages in the order of their ids`() async throws {
    try await TestDatabase.with { client in
      let groups = GroupStore(client: client)
      let users = Sample.users(25)
      try await groups.replace("team:1", members: users)
      var found: [UserID] = []
      while true {
        let page = try await groups.members(of: "team:1", after: found.last, limit: 10)
        if page.isEmpty { break }
        #expect(page.count == 10 || found.count == 20)
        found += page
      }
      #expect(found == users.sorted())
    }
  }

  @Test func `of concurrent replacements one wins whole`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let groups = GroupStore(client: client)
      let lists = (0..<12).map { _ in Set(Sample.users(20)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for list in lists { group.addTask { try await groups.replace("team:1", members: Array(list)) } }
        try await group.waitForAll()
      }
      #expect(lists.contains(Set(try await groups.members(of: "team:1", limit: 1_000))))
    }
  }

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

  @Test func `a refused address is suppressed until the user has another one`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let user = Sample.user()
      let key = try Sample.key(user)
      func isSuppressed() async throws -> Bool? {
        try await RecipientStore(client: client).recipients(for: [key])[key]?.isEmailSuppressed
      }
      _ = try await users.put(.sample(email: "a@example.org"), of: user)
      try await users.suppressEmail("former@example.org", of: user)
      #expect(try await isSuppressed() == false)
      try await users.suppressEmail("a@example.org", of: user)
      #expect(try await isSuppressed() == true)
      _ = try await users.put(.sample(email: "a@example.org", isEnabled: false), of: user)
      #expect(try await isSuppressed() == true)
      _ = try await users.put(.sample(email: "b@example.org"), of: user)
      #expect(try await isSuppressed() == false)
    }
  }
}
