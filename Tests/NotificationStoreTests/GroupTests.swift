import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// Groups, and how many are in them.
struct GroupTests {
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

  /// Groups whose counted members are not those that there are.
  private func miscounted(_ client: PostgresClient) async throws -> [String] {
    try await client.column(
      """
      SELECT group_id FROM (SELECT group_id, count(*) AS members FROM group_members GROUP BY group_id) m
        FULL JOIN groups g USING (group_id)
      WHERE m.members IS DISTINCT FROM g.members
      """
    )
  }

  @Test func `a group comes with its first member and goes with its last, and knows how many they are`() async throws {
    try await TestDatabase.with { client in
      let groups = GroupStore(client: client)
      let users = Sample.users(3).sorted()
      #expect(try await groups.page(of: "team:1", limit: 10) == nil)
      #expect(try await groups.delete("team:1") == false)
      #expect(try await groups.add([], to: "team:1") == 0)
      #expect(try await groups.page(of: "team:1", limit: 10) == nil)
      #expect(try await groups.add([users[1]], to: "team:1") == 1)
      #expect(try await groups.add([users[1], users[2], users[2], users[0]], to: "team:1") == 3)
      #expect(try await groups.page(of: "team:1", limit: 2) == .init(count: 3, members: Array(users.prefix(2))))
      #expect(try await groups.page(of: "team:1", after: users[1], limit: 2) == .init(count: 3, members: [users[2]]))
      #expect(try await groups.page(of: "team:1", after: users[2], limit: 2) == .init(count: 3, members: []))
      try await groups.remove(users[1], from: "team:1")
      try await groups.remove(users[1], from: "team:1")
      #expect(try await groups.page(of: "team:1", limit: 9) == .init(count: 2, members: [users[0], users[2]]))
      for user in users { try await groups.remove(user, from: "team:1") }
      #expect(try await groups.page(of: "team:1", limit: 9) == nil)
      _ = try await groups.add(users, to: "team:1")
      #expect(try await groups.delete("team:1"))
      #expect(try await groups.page(of: "team:1", limit: 9) == nil)
      #expect(try await client.value("SELECT count(*) FROM groups", as: Int.self) == 0)
    }
  }

  @Test func `a group is full at its limit, and who is in it may be added again`() async throws {
    try await TestDatabase.with { client in
      let groups = GroupStore(client: client, limits: GroupLimits(maximum: 3))
      let users = Sample.users(4).sorted()
      let first = try await groups.add(Array(users.prefix(2)), to: "team:1")
      #expect(first == 2)
      #expect(try await groups.add(Array(users.suffix(2)), to: "team:1") == nil)
      #expect(try await groups.page(of: "team:1", limit: 9) == .init(count: 2, members: Array(users.prefix(2))))
      #expect(try await groups.add([users[2]], to: "team:1") == 3)
      #expect(try await groups.add([users[0]], to: "team:1") == 3)
    }
  }

  /// The sizes are those of pages, one more, and one less.
  @Test(arguments: [1, 9, 10, 11, 20, 35])
  func `a large group is replaced and deleted a page at a time`(_ size: Int) async throws {
    try await TestDatabase.with { client in
      let groups = GroupStore(client: client, limits: GroupLimits(atOnce: 0, page: 10))
      let users = Sample.users(size)
      let other = Sample.users(12)
      _ = try await groups.add(users, to: "team:1")
      _ = try await groups.add(other, to: "team:2")
      let next = Sample.users(7) + users.prefix(size / 2)
      try await groups.replace("team:1", members: next)
      #expect(try await groups.page(of: "team:1", limit: 99) == .init(count: next.count, members: next.sorted()))
      #expect(try await miscounted(client) == [])
      #expect(try await groups.delete("team:1"))
      #expect(try await groups.page(of: "team:1", limit: 99) == nil)
      #expect(try await groups.page(of: "team:2", limit: 99) == .init(count: 12, members: other.sorted()))
      #expect(try await miscounted(client) == [])
    }
  }

  @Test(arguments: [true, false])
  func `of overlapping replacements of a large group the one that began last wins whole`(_ isInOrder: Bool) async throws
  {
    try await TestDatabase.with { client in
      let groups = GroupStore(client: client, limits: GroupLimits(atOnce: 0, page: 4))
      _ = try await groups.add(Sample.users(11), to: "team:1")
      let (first, last) = (Sample.users(9), Sample.users(6))
      let earlier = try #require(try await groups.begin("team:1", members: first).replacement)
      let later = try #require(try await groups.begin("team:1", members: last).replacement)
      for replacement in isInOrder ? [earlier, later] : [later, earlier] { try await groups.go(on: replacement) }
      #expect(try await groups.members(of: "team:1", limit: 99) == last.sorted())
      #expect(try await miscounted(client) == [])
    }
  }

  @Test
  func
    `a replacement that goes on takes nothing from what has replaced the group at once, or has come after it was deleted`()
    async throws
  {
    try await TestDatabase.with { client in
      let slow = GroupStore(client: client, limits: GroupLimits(atOnce: 0, page: 4))
      let fast = GroupStore(client: client)
      let next = Sample.users(5).sorted()
      for isDeleted in [false, true] {
        try await fast.replace("team:1", members: Sample.users(11))
        let earlier = try #require(try await slow.begin("team:1", members: Sample.users(9)).replacement)
        if isDeleted {
          #expect(try await fast.delete("team:1"))
          _ = try await fast.add(next, to: "team:1")
        } else {
          try await fast.replace("team:1", members: next)
        }
        try await slow.go(on: earlier)
        #expect(try await fast.members(of: "team:1", limit: 99) == next)
      }
    }
  }

  @Test func `of concurrent replacements of a large group one wins whole`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let groups = GroupStore(client: client, limits: GroupLimits(atOnce: 0, page: 3))
      _ = try await groups.add(Sample.users(30), to: "team:1")
      let lists = (0..<12).map { _ in Set(Sample.users(20)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for list in lists { group.addTask { try await groups.replace("team:1", members: Array(list)) } }
        try await group.waitForAll()
      }
      #expect(lists.contains(Set(try await groups.members(of: "team:1", limit: 1_000))))
      #expect(try await miscounted(client) == [])
    }
  }

  @Test func `members who come and go at once are counted right, also where a user leaves all groups`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let groups = GroupStore(client: client, limits: GroupLimits(atOnce: 8, page: 3))
      let users = Sample.users(8)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<120 {
          let name = "team:\(number % 3)"
          let some = Array(users.shuffled().prefix(6))
          group.addTask {
            switch number / 3 % 5 {
            case 0: try await groups.replace(name, members: some)
            case 1: _ = try await groups.add(some, to: name)
            case 2: try await groups.remove(some[0], from: name)
            case 3 where number < 60: _ = try await groups.delete(name)
            // One user only: two who leave could wait for each other's rows over two replacements.
            default: _ = try await client.query("DELETE FROM group_members WHERE user_id = \(users[0])")
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await miscounted(client) == [])
    }
  }

  @Test func `groups of before are counted by the migration, and by what writes members without knowing of it`()
    async throws
  {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        let former = Schema.migrations.prefix { !$0.name.hasPrefix("m0014") }
        #expect(former.count < Schema.migrations.count)
        _ = try await PostgresMigrator.apply(Array(former), with: client, logger: .quiet)
        _ = try await client.query(
          "INSERT INTO group_members SELECT 'team:' || n % 3, gen_random_uuid() FROM generate_series(1, 100) AS n"
        )
        try await Schema.migrate(client, logger: .quiet)
        #expect(try await miscounted(client) == [])
        #expect(try await GroupStore(client: client).page(of: "team:1", limit: 1)?.count == 34)
        _ = try await client.query("DELETE FROM group_members WHERE group_id <> 'team:1'")
        _ = try await client.query(
          "INSERT INTO group_members SELECT 'team:' || n % 4, gen_random_uuid() FROM generate_series(1, 100) AS n"
        )
        #expect(try await miscounted(client) == [])
        #expect(try await client.value("SELECT sum(members)::int8 FROM groups", as: Int.self) == 134)
      }
    }
  }
}
