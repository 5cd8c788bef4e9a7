import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

/// Groups, profiles and preferences.
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
      let isNew = try await users.put(.sample(), of: user)
      #expect(isNew)
      #expect(try await users.profile(of: user) == .sample())
      #expect(try await !users.put(.sample(email: nil, isEnabled: false), of: user))
      #expect(try await users.profile(of: user) == .sample(email: nil, isEnabled: false))
    }
  }

  @Test func `a refused address is suppressed until the user has another one`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let user = Sample.user()
      let key = RecipientStore.Key(user: user, type: 10)
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

  @Test func `a choice for each channel that there is comes back`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let user = Sample.user()
      for chosen in Channel.allCases {
        var choice = PerChannel<Bool>()
        for channel in Channel.allCases { choice[channel] = channel == chosen }
        try await users.setPreferences([10: choice], of: user)
        #expect(try await users.preferences(of: user) == [10: choice])
        let key = RecipientStore.Key(user: user, type: 10)
        let recipient = try await RecipientStore(client: client).recipients(for: [key])[key]
        #expect(recipient?.typeChoices == ChannelChoices(choice))
      }
    }
  }

  @Test func `preferences that are not named keep theirs`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let user = Sample.user()
      let all = PerChannel(inApp: true, push: true, email: true)
      let none = PerChannel(inApp: false, push: false, email: false)
      try await users.setPreferences([10: all, 11: all], of: user)
      try await users.setPreferences([11: none, 12: none], of: user)
      #expect(try await users.preferences(of: user) == [10: all, 11: none, 12: none])
      #expect(try await users.preferences(of: Sample.user()).isEmpty)
    }
  }
}
